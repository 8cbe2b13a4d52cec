/* build_info: one line of facts about this build, for --version --verbose and GET /version.
 *
 * Layer: service. Threads: call once before others start; the text is static. */
#pragma once

/* "libmicrohttpd 0.9.75, sqlite 3.40.1, gcc 12.2.0, sanitizers: none" */
const char *build_info(void);
