"use client";

import { SearchIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import type { FoundSale } from "./use-found-sale";

/** Finds a redemption to refund by its bill number. */
export function FindSale({ sale }: { sale: FoundSale }) {
  const t = useTranslations("counter.recent");
  return (
    <form
      noValidate
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        sale.find();
      }}
    >
      <Input
        size="xl"
        aria-label={t("findSale")}
        placeholder={t("findSale")}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={64}
        value={sale.saleRef}
        onChange={(event) => sale.setSaleRef(event.target.value)}
      />
      {sale.found !== null && (
        <Button variant="outline" size="icon-xl" aria-label={t("showLatest")} onClick={sale.clear}>
          <XIcon aria-hidden />
        </Button>
      )}
      <Button type="submit" variant="outline" size="icon-xl" aria-label={t("find")} disabled={sale.busy}>
        {sale.busy ? <Spinner /> : <SearchIcon aria-hidden />}
      </Button>
    </form>
  );
}
