# Writes the manual page that the program prints (settee help --man) to OUTPUT. Called by the build with
# -DPROGRAM=... -DOUTPUT=... -P.
#
# SPDX-License-Identifier: Apache-2.0
execute_process(COMMAND ${PROGRAM} help --man OUTPUT_VARIABLE text ERROR_VARIABLE errors RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "'settee help --man' failed (${status}): ${errors}")
endif()
file(WRITE ${OUTPUT} "${text}")
