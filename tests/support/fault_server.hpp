#pragma once

/// Lets one call of a process fail. See fault_server.cpp.

enum class Fallible { open, read, write, sync, rename, folder, remove, map, thread, process, memory, kinds };

/// Counts a call. Returns true, with errno set, if this call is to fail.
bool fails(Fallible kind) noexcept;

/// Numbers the calls of a forked child separately. Call it in the child.
void count_in_child() noexcept;
