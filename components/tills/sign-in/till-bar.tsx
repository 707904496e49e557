"use client";

import { ArrowLeftRightIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Avatar, AvatarFallback, initials } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";

/** The name of the cashier at this till, with a button to change the cashier. */
export function TillBar({ name, till, onChange }: { name: string; till: string; onChange: () => void }) {
  const t = useTranslations("atTill");
  return (
    <section
      aria-label={t("cashier")}
      className="mb-4 flex items-center gap-3 rounded-xl border bg-card py-2 ps-3 pe-2 shadow-card landscape-phone:mb-3 landscape-phone:py-1 print:hidden"
    >
      <Avatar>
        <AvatarFallback>{initials(name)}</AvatarFallback>
      </Avatar>
      <p className="min-w-0 flex-1 leading-tight">
        <bdi className="wrap-anywhere line-clamp-2 font-medium">{name}</bdi>
        <bdi className="block truncate text-muted-foreground text-sm">{till}</bdi>
      </p>
      <Button variant="outline" className="max-sm:px-3" onClick={onChange}>
        <ArrowLeftRightIcon className="max-sm:hidden" aria-hidden /> {t("change")}
      </Button>
    </section>
  );
}
