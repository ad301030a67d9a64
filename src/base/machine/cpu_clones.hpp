#pragma once

/// An attribute of a function that is compiled for three generations of processors, among which the loader
/// chooses. Only for GCC: clang 14 uses the AVX-512 code on every processor if a declaration in a header
/// comes first.
#ifdef __clang__
#define ELMX_CPU_CLONES
#else
#define ELMX_CPU_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#endif
