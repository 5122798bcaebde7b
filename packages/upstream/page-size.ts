/** Rows of a page. A row can cost a service 12 ms, so the gateway reads the pages of a list in parallel. */
export const pageSize = 100;
