// The library that owns the precompiled header has to have a file.
