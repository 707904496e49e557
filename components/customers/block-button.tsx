"use client";

import { BanIcon, CircleCheckIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmButton } from "@/components/data";
import { useNotify } from "@/components/ui/notify";
import type { CustomerProfile } from "@/lib/domain/customers";
import type { CustomerActions } from "./types";

/** Blocks an active card, unblocks a blocked one; nothing for any other. */
export function BlockButton({
  customer,
  edit,
}: {
  customer: CustomerProfile;
  edit: CustomerActions["edit"];
}) {
  const t = useTranslations("customers");
  const notify = useNotify();
  const router = useRouter();
  if (customer.status !== "active" && customer.status !== "blocked") return null;
  const blocks = customer.status === "active";
  const Icon = blocks ? BanIcon : CircleCheckIcon;
  return (
    <ConfirmButton
      variant="outline"
      title={t(blocks ? "blockTitle" : "unblockTitle")}
      description={t(blocks ? "blockText" : "unblockText", { name: customer.fullName })}
      confirmLabel={t(blocks ? "block" : "unblock")}
      confirmVariant={blocks ? "destructive" : "default"}
      run={() => edit({ customerId: customer.id, status: blocks ? "blocked" : "active" })}
      onDone={() => {
        notify.success(t(blocks ? "blocked" : "unblocked"));
        router.refresh();
      }}
    >
      <Icon aria-hidden /> {t(blocks ? "block" : "unblock")}
    </ConfirmButton>
  );
}
