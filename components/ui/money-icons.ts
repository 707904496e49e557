// Top-ups have one icon and redemptions another. The menu, the counter and all lists use the same icons.
export { ArrowDownToLineIcon as TopUpIcon, ArrowUpFromLineIcon as RedeemIcon } from "lucide-react";
