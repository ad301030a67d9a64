#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace elmx {

/// What was asked for. `range` is "5-" of "Range: bytes=5-", "" where there is none.
struct TestRequest {
  std::string path;
  std::string range;
  std::size_t begin() const { return range.empty() ? 0 : std::stoul(range); }
};

/// The other end of a connection.
class TestClient {
 public:
  explicit TestClient(int descriptor) : descriptor_(descriptor) {}

  /// False: nobody takes it any more.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t size = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  /// False: the connection was closed meanwhile.
  bool wait(int milliseconds) const {
    pollfd closed{descriptor_, POLLRDHUP, 0};
    return ::poll(&closed, 1, milliseconds) == 0;
  }
  void wait_for_the_end() const { wait(-1); }

  bool head(const std::string& status, const std::string& more) const {
    return send("HTTP/1.1 " + status + "\r\n" + more + "Connection: close\r\n\r\n");
  }
  bool head(const std::string& status, std::size_t length) const {
    return head(status, "Content-Length: " + std::to_string(length) + "\r\n");
  }

 private:
  int descriptor_;
};

/// How a path is answered.
using TestAnswer = std::function<void(const TestClient&, const TestRequest&)>;

/// An HTTP server on 127.0.0.1, a thread for each connection: what `answer` says, 200 with the content of a
/// known path, 302 for a redirected one, else 404. Fill them while no request is under way.
class TestServer {
 public:
  TestServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    ::setenv("no_proxy", "127.0.0.1", 1);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(listener_, 8);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::thread([this] { serve(); });
  }
  ~TestServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    for (const int client : clients_) ::shutdown(client, SHUT_RDWR);
    for (std::thread& thread : threads_) thread.join();
    for (const int client : clients_) ::close(client);
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::string url(const std::string& path) const { return url_ + path; }
  std::vector<TestRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  std::map<std::string, std::string> content;
  std::map<std::string, std::string> redirect;
  std::map<std::string, TestAnswer> answer;

 private:
  void serve() {
    for (;;) {
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) return;
      clients_.push_back(client);
      threads_.emplace_back([this, client] {
        reply(client);
        ::shutdown(client, SHUT_WR);
      });
    }
  }

  void reply(int descriptor) {
    std::string text;
    std::array<char, 4096> block;
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = ::recv(descriptor, block.data(), block.size(), 0);
      if (size <= 0) return;
      text.append(block.data(), static_cast<std::size_t>(size));
    }
    const std::size_t path = text.find(' ') + 1;
    TestRequest request{text.substr(path, text.find(' ', path) - path), ""};
    if (const std::size_t range = text.find("Range: bytes="); range != std::string::npos)
      request.range = text.substr(range + 13, text.find('\r', range) - range - 13);
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    reply(TestClient(descriptor), request);
  }

  void reply(const TestClient& client, const TestRequest& request) const {
    if (answer.contains(request.path)) return answer.at(request.path)(client, request);
    if (redirect.contains(request.path)) {
      client.head("302 Found", "Location: " + redirect.at(request.path) + "\r\nContent-Length: 0\r\n");
      return;
    }
    if (!content.contains(request.path)) {
      client.head("404 Not Found", 5);
      client.send("nope\n");
      return;
    }
    const std::string sent = content.at(request.path);  // a test may replace it while a client that hung up is served
    client.head("200 OK", sent.size());
    client.send(sent);
  }

  int listener_;
  std::string url_;
  mutable std::mutex mutex_;
  std::vector<TestRequest> requests_;
  std::vector<int> clients_;
  std::vector<std::thread> threads_;
  std::thread thread_;
};

/// An honest answer, from the byte that is asked for.
inline TestAnswer serves(std::string content) {
  return [content](const TestClient& client, const TestRequest& request) {
    const std::string rest = content.substr(std::min(request.begin(), content.size()));
    const std::string size = std::to_string(content.size());
    const std::string range = std::to_string(request.begin()) + "-" + std::to_string(content.size() - 1) + "/" + size;
    const std::string length = "Content-Length: " + std::to_string(rest.size()) + "\r\n";
    if (request.range.empty())
      client.head("200 OK", length);
    else
      client.head("206 Partial Content", "Content-Range: bytes " + range + "\r\n" + length);
    client.send(rest);
  };
}

/// Announces all of the content and closes the connection behind the first `bytes` of it.
inline TestAnswer breaks_off(std::string content, std::size_t bytes) {
  return [content, bytes](const TestClient& client, const TestRequest&) {
    client.head("200 OK", content.size());
    client.send(std::string_view(content).substr(0, bytes));
  };
}

/// One answer after the other; the last one for all requests that follow.
inline TestAnswer in_turn(std::vector<TestAnswer> answers) {
  const auto next = std::make_shared<std::atomic<std::size_t>>(0);
  return [answers, next](const TestClient& client, const TestRequest& request) {
    answers[std::min((*next)++, answers.size() - 1)](client, request);
  };
}

}  // namespace elmx
