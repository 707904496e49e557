// The chart and the QR code are imported from their own files: they bring libraries that most pages do not need.
export { EmptyState } from "../ui/empty";
export { ConfirmButton } from "./confirm-button";
export { CopyButton } from "./copy-button";
export { CursorPager } from "./cursor-pager";
export { type Column, DataTable, type DataTableProps } from "./data-table";
export { Details } from "./details";
export { FilterBar, FilterDate, FilterSearch, FilterSelect } from "./filter-bar";
export { ListSkeleton } from "./list-skeleton";
export { Money } from "./money";
export { PageHeader } from "./page-header";
export { RelativeTime } from "./relative-time";
export { SearchInput, type SearchInputProps } from "./search-input";
export { StatCard, StatSkeleton } from "./stat-card";
export { StatusBadge } from "./status-badge";
export { CURSOR_PARAM, useUrlFilters } from "./url-filters";
