# Writes the type stubs of the components: cmake -DPYTHON=... -DOUTPUT=... -P Stubs.cmake
#
# SPDX-License-Identifier: Apache-2.0
execute_process(COMMAND ${PYTHON} -m settee._stubs OUTPUT_FILE ${OUTPUT} RESULT_VARIABLE status ERROR_VARIABLE text)
if(NOT status EQUAL 0)
    file(REMOVE ${OUTPUT})
    message(FATAL_ERROR "type stubs of the Python package: ${text}")
endif()
