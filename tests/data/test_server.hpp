#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

namespace elmx {

/// An HTTP server on 127.0.0.1 that answers one request after the other: 200 with the content of a known path, 302 for
/// a redirected one, else 404. A content of kBroken announces more bytes than it sends.
class TestServer {
 public:
  static constexpr const char* kBroken = "(broken)";

  TestServer() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
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
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  /// The address of a path; fill `content` and `redirect` before the first request.
  std::string url(const std::string& path) const { return url_ + path; }
  int requests() const { return requests_; }

  std::map<std::string, std::string> content;
  std::map<std::string, std::string> redirect;

 private:
  void serve() {
    for (;;) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      answer(client);
      ::close(client);
    }
  }

  void answer(int client) {
    std::string request;
    std::array<char, 4096> block;
    while (request.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = ::recv(client, block.data(), block.size(), 0);
      if (size <= 0) return;
      request.append(block.data(), static_cast<std::size_t>(size));
    }
    ++requests_;
    const std::size_t begin = request.find(' ') + 1;
    const std::string reply = reply_to(request.substr(begin, request.find(' ', begin) - begin));
    for (std::size_t sent = 0; sent < reply.size();) {
      const ssize_t size = ::send(client, reply.data() + sent, reply.size() - sent, MSG_NOSIGNAL);
      if (size <= 0) return;
      sent += static_cast<std::size_t>(size);
    }
  }

  std::string reply_to(const std::string& path) const {
    if (redirect.contains(path)) {
      return "HTTP/1.1 302 Found\r\nLocation: " + redirect.at(path) +
             "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    }
    if (!content.contains(path))
      return "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nConnection: close\r\n\r\nnope\n";
    const std::string& body = content.at(path);
    const std::size_t announced = body == kBroken ? body.size() + 100 : body.size();
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(announced) + "\r\nConnection: close\r\n\r\n" + body;
  }

  int listener_;
  std::string url_;
  std::atomic<int> requests_ = 0;
  std::thread thread_;
};

}  // namespace elmx
