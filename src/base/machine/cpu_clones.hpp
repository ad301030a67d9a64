#pragma once

/// Before a function: it is compiled for three generations of processors, and the loader picks among them.
/// Only GCC: clang 14 gives every processor the code with AVX-512, where a declaration in a header comes
/// first.
#ifdef __clang__
#define ELMX_CPU_CLONES
#else
#define ELMX_CPU_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#endif
