// The chart and the QR code are imported from their own files: they bring libraries that most pages do not need.
export { EmptyState } from "../ui/empty";
export { ConfirmButton } from "./confirm-button";
export { CopyButton } from "./copy-button";
export { CursorPager } from "./cursor-pager";
export { type Column, DataTable } from "./data-table";
export { FilterBar, FilterDate, FilterSearch, FilterSelect } from "./filter-bar";
export { ListFrame } from "./list-frame";
export { ListSkeleton } from "./list-skeleton";
export { Money } from "./money";
export type { ListOrder } from "./order";
export { Details, PageHeader } from "./page-header";
export { RelativeTime } from "./relative-time";
export { FilterSort } from "./sorting";
export { StatCard, StatSkeletons } from "./stat-card";
export { StatusBadge, SuspendedBadge } from "./status-badge";
export { type DeferredRead, deferRead, Streamed } from "./streamed";
