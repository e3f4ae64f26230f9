# The libraries that settee is built on: the target settee_dependencies, their versions for config.h
# (SETTEE_WITH_<NAME>), and what a link with libsettee.a needs for settee.pc (SETTEE_PC_LIBS).
#
# SPDX-License-Identifier: Apache-2.0
find_package(PkgConfig REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

add_library(settee_dependencies INTERFACE)
set(missing "")
set(SETTEE_PC_LIBS "")

# A library that comes with a pkg-config file. settee.pc names the library, not that file: with --static it would ask for
# all that the library itself was made of, such as liblzma for libxml2, whose development packages are not there.
macro(need_module name module package)
    pkg_check_modules(${name} IMPORTED_TARGET ${module})
    if(${name}_FOUND)
        target_link_libraries(settee_dependencies INTERFACE PkgConfig::${name})
        set(SETTEE_WITH_${name} ${${name}_VERSION})
        list(TRANSFORM ${name}_LIBRARIES PREPEND -l OUTPUT_VARIABLE libraries)
        list(APPEND SETTEE_PC_LIBS ${libraries})
    else()
        list(APPEND missing ${package})
    endif()
endmacro()

# A library without one: found by its file and header; the version is read from #defines in that header.
macro(need_library library header package)
    find_library(${library}_LIBRARY ${library})
    find_path(${library}_INCLUDE ${header} PATH_SUFFIXES suitesparse)
    if(${library}_LIBRARY AND ${library}_INCLUDE)
        target_link_libraries(settee_dependencies INTERFACE ${${library}_LIBRARY})
        target_include_directories(settee_dependencies SYSTEM INTERFACE ${${library}_INCLUDE})
        list(APPEND SETTEE_PC_LIBS -l${library})
    else()
        list(APPEND missing ${package})
    endif()
    mark_as_advanced(${library}_LIBRARY ${library}_INCLUDE)
endmacro()

function(read_version output header)
    set(version "")
    if(EXISTS ${header})
        file(READ ${header} text)
        foreach(macro IN LISTS ARGN)
            if(text MATCHES "#define[ \t]+${macro}[ \t]+([0-9]+)")
                list(APPEND version ${CMAKE_MATCH_1})
            endif()
        endforeach()
    endif()
    list(JOIN version "." version)
    set(${output} "${version}" PARENT_SCOPE)
endfunction()

need_module(LIBXML2 libxml-2.0 libxml2-dev)
need_module(LIBPNG libpng libpng-dev)
need_module(ZLIB zlib zlib1g-dev)

# Textures that are JPEG files are read where it is there.
pkg_check_modules(LIBJPEG QUIET IMPORTED_TARGET libjpeg)
set(SETTEE_WITH_LIBJPEG "")
set(SETTEE_READS_JPEG 0)
if(LIBJPEG_FOUND)
    target_link_libraries(settee_dependencies INTERFACE PkgConfig::LIBJPEG)
    set(SETTEE_WITH_LIBJPEG ", libjpeg ${LIBJPEG_VERSION}")
    set(SETTEE_READS_JPEG 1)
    list(TRANSFORM LIBJPEG_LIBRARIES PREPEND -l OUTPUT_VARIABLE libraries)
    list(APPEND SETTEE_PC_LIBS ${libraries})
endif()

need_library(cholmod cholmod.h libsuitesparse-dev)
need_library(umfpack umfpack.h libsuitesparse-dev)
need_library(klu klu.h libsuitesparse-dev)
need_library(spqr SuiteSparseQR_C.h libsuitesparse-dev)
need_library(amd amd.h libsuitesparse-dev)
need_library(camd camd.h libsuitesparse-dev)
need_library(colamd colamd.h libsuitesparse-dev)
need_library(suitesparseconfig SuiteSparse_config.h libsuitesparse-dev)
read_version(SETTEE_WITH_SUITESPARSE "${suitesparseconfig_INCLUDE}/SuiteSparse_config.h"
    SUITESPARSE_MAIN_VERSION SUITESPARSE_SUB_VERSION SUITESPARSE_SUBSUB_VERSION)

need_library(metis metis.h libmetis-dev)
read_version(SETTEE_WITH_METIS "${metis_INCLUDE}/metis.h" METIS_VER_MAJOR METIS_VER_MINOR METIS_VER_SUBMINOR)
need_library(lapacke lapacke.h liblapacke-dev)
# Which LAPACK and BLAS stand behind it is the system's choice: OpenBLAS where there is a pkg-config file of it.
pkg_check_modules(OPENBLAS QUIET openblas)
pkg_check_modules(LAPACK QUIET lapack)
if(OPENBLAS_FOUND)
    set(SETTEE_WITH_LAPACK "OpenBLAS ${OPENBLAS_VERSION}")
else()
    set(SETTEE_WITH_LAPACK "LAPACK ${LAPACK_VERSION}")
endif()

# What cluster/ is built with, if it is: not a dependency of the library.
set(SETTEE_BUILDS_CLUSTER OFF)
set(SETTEE_WITH_PETSC "")
if(SETTEE_CLUSTER)
    pkg_check_modules(PETSC QUIET IMPORTED_TARGET PETSc)
    pkg_check_modules(MPI QUIET IMPORTED_TARGET ompi-c)
    if(PETSC_FOUND AND MPI_FOUND)
        set(SETTEE_BUILDS_CLUSTER ON)
        set(SETTEE_WITH_PETSC "; plug-in petsc: PETSc ${PETSC_VERSION}, Open MPI ${MPI_VERSION}")
    else()
        message(STATUS "PetscLinearSolver and settee-mpi: left out, PETSc and Open MPI are not found (petsc-dev, "
            "libopenmpi-dev; 'make cluster' adds them)")
    endif()
endif()

if(missing)
    list(REMOVE_DUPLICATES missing)
    list(JOIN missing " " missing)
    message(FATAL_ERROR "libraries are missing; on Debian: apt-get install ${missing} (or: make deps)")
endif()

target_link_libraries(settee_dependencies INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)
list(APPEND SETTEE_PC_LIBS -pthread -ldl -lm)
list(REMOVE_DUPLICATES SETTEE_PC_LIBS)
list(JOIN SETTEE_PC_LIBS " " SETTEE_PC_LIBS)
