"use client";

import { DownloadIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { TUNNEL_HEADER } from "@/lib/domain/paths";

const DELAY_MILLISECONDS = 1_000;

/** The file name in the response's Content-Disposition header. */
function fileNameOf(response: Response): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return encoded ? decodeURIComponent(encoded) : "loyalty-card.pdf";
}

function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads the card as a PDF. Meanwhile a spinner replaces the button. */
export function DownloadButton({ customerId }: { customerId: string }) {
  const t = useTranslations("card");
  const locale = useLocale();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const focused = useRef(false);
  useEffect(() => {
    // A hidden button loses the focus.
    if (!busy && focused.current && document.activeElement === document.body) button.current?.focus();
  }, [busy]);
  async function download() {
    focused.current = document.activeElement === button.current;
    setBusy(true);
    await new Promise((resolve) => setTimeout(resolve, DELAY_MILLISECONDS));
    try {
      const response = await fetch(`/api/customer/${customerId}/loyalty-card.pdf?lang=${locale}`, {
        headers: TUNNEL_HEADER,
      });
      if (response.status === 404) return notify.error(t("downloadNothing"));
      if (!response.ok) throw new Error(String(response.status));
      saveFile(await response.blob(), fileNameOf(response));
      notify.success(t("downloaded"));
    } catch {
      notify.error(t("downloadFailed"));
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="relative">
      <Button ref={button} variant="outline" className={`tile ${busy ? "invisible" : ""}`} onClick={download}>
        <DownloadIcon aria-hidden />
        {t("download")}
      </Button>
      {busy && (
        <p role="status" className="tile absolute inset-0 text-muted-foreground">
          <Spinner aria-hidden />
          {t("downloading")}
        </p>
      )}
    </div>
  );
}
