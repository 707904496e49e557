// What is added and what is redeemed have one icon each, in the menu, at the counter and in every list.
export { ArrowDownToLineIcon as TopUpIcon, ArrowUpFromLineIcon as RedeemIcon } from "lucide-react";
