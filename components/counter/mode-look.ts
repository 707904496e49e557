import { RedeemIcon, TopUpIcon } from "@/components/ui/money-icons";
import type { CounterMode, CounterMovement } from "./types";

/** The looks of adding (green) and redeeming (amber). They never differ by colour alone. */
export const MODE_LOOK = {
  topup: {
    Icon: TopUpIcon,
    title: "addCash",
    button: "addAmount",
    cash: "collect",
    solid: "bg-success text-success-foreground hover:bg-success/90",
    soft: "bg-success-soft text-success-strong",
    edge: "border-success/40 focus-within:border-ring focus-within:outline-ring",
  },
  redeem: {
    Icon: RedeemIcon,
    title: "redeemCash",
    button: "redeemAmount",
    cash: "discount",
    solid: "bg-warning text-warning-foreground hover:bg-warning/90",
    soft: "bg-warning-soft text-warning-strong",
    edge: "border-warning/60 focus-within:border-ring focus-within:outline-ring",
  },
} as const satisfies Record<CounterMode, object>;

/** The text that says how the money of an undone top-up is given back; it takes the amount as `cash`. */
export const giveBackText = ({ tender }: Pick<CounterMovement, "tender">) =>
  tender === "cash" ? "giveBackCash" : "giveBackSame";
