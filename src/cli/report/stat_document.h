/* The report of armpmu stat and armpmu guest as one JSON document: docs/schema/stat-1.json. */
#ifndef CLI_REPORT_STAT_DOCUMENT_H
#define CLI_REPORT_STAT_DOCUMENT_H

#include "cli/report/report.h"

#define DOCUMENT_SCHEMA  "armpmu-stat"
#define DOCUMENT_VERSION 1

extern const struct report_printer print_document;

#endif
