# Toolchain of the preset aarch64: Debian's cross compilers, and qemu to run what they build.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(OX_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${OX_EMULATOR})

# qemu looks for the libraries of the other machine in the folder that holds lib/ and its loader.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=ld-linux-aarch64.so.1
    OUTPUT_VARIABLE OX_EMULATOR_LOADER OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(OX_EMULATOR_ROOT ${OX_EMULATOR_LOADER}/../.. REALPATH)
