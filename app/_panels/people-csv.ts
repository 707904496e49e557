import { download } from "@/lib/api/download";
import { customersCsv } from "@/lib/customers/csv";
import { exportCustomers } from "@/lib/customers/list-customers";
import { customersFilterSchema } from "@/lib/customers/model/customers";
import { workersCsv } from "@/lib/workers/csv";
import { exportWorkers } from "@/lib/workers/export-workers";
import { workersFilterSchema } from "@/lib/workers/model";

/** The filtered customers as a CSV file. */
export const downloadCustomers = download(exportCustomers, {
  query: customersFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale, clock }) => customersCsv(locale, parts, clock()),
});

/** The filtered employees as a CSV file. */
export const downloadWorkers = download(exportWorkers, {
  query: workersFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale, clock }) => workersCsv(locale, parts, clock()),
});
