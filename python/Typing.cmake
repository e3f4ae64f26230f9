# Writes the types of the components (components.pyi): cmake -DPYTHON=... -DOUTPUT=... -P Typing.cmake
#
# SPDX-License-Identifier: Apache-2.0
execute_process(COMMAND ${PYTHON} -m settee._typing OUTPUT_FILE ${OUTPUT} RESULT_VARIABLE status ERROR_VARIABLE text)
if(NOT status EQUAL 0)
    file(REMOVE ${OUTPUT})
    message(FATAL_ERROR "types of the Python package: ${text}")
endif()
