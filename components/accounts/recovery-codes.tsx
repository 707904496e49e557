"use client";

import { DownloadIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/data/copy-button";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";

/** New recovery codes, shown once, to copy or to download. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const t = useTranslations("factors");
  const text = (codes ?? []).join("\n");
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${t("codesTitle")}\n\n${text}\n`)}`;
  return (
    <Dialog open={codes !== null} onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("codesTitle")}</DialogTitle>
          <DialogDescription>{t("codesText")}</DialogDescription>
        </DialogHeader>
        <ol
          dir="ltr"
          className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md bg-muted p-4 font-mono text-sm sm:grid-cols-2"
        >
          {codes?.map((code) => (
            <li key={code} data-testid="recovery-code">
              {code}
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="outline">
            <a href={file} download="recovery-codes.txt">
              <DownloadIcon aria-hidden /> {t("download")}
            </a>
          </Button>
          <CopyButton text={text} label={t("copy")} />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{t("codesDone")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
