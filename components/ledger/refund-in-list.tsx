"use client";

import { HandCoinsIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/ui/use-loaded";

const load = () => import("./refund-dialog");

type RefundInListProps = {
  movement: { id: string; customerName: string; left: number };
  session: string;
  onRefunded: () => void;
};

/** The Refund button of a redemption in an employee's list. Renders nothing once all of it is refunded. */
export function RefundInList({ movement, session, onRefunded }: RefundInListProps) {
  const t = useTranslations("refund");
  if (movement.left === 0) return null;
  const trigger = {
    variant: "ghost",
    size: "icon-xl",
    "aria-label": t("refundNamed", { name: movement.customerName }),
    children: <HandCoinsIcon className="size-5" aria-hidden />,
  } as const;
  return (
    <DialogButton
      load={load}
      dialog={({ RefundDialog }) => (
        <RefundDialog
          defaultOpen
          movement={movement}
          session={session}
          onRefunded={onRefunded}
          trigger={trigger}
        />
      )}
      {...trigger}
    />
  );
}
