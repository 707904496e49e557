"use client";

import { DownloadIcon, PrinterIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogFooter, DialogHeader, DialogTrigger } from "@/components/ui/dialog";
import { POSTER_KINDS, POSTER_LANGUAGES } from "@/lib/merchants/model/poster-kinds";

const CHOICE =
  "flex min-h-11 cursor-pointer items-center gap-3 rounded-lg border px-3 py-2 has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2";

/** Opens what can be printed with the sign-up code: which print, and in which language. `href` is where the PDF is. */
export function PosterButton({ href }: { href: string }) {
  const link = useTranslations("merchants.link");
  const t = useTranslations("merchants.print");
  const id = useId();
  const [kind, setKind] = useState<(typeof POSTER_KINDS)[number]>("poster");
  const [language, setLanguage] = useState<(typeof POSTER_LANGUAGES)[number]>("both");
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline" className="flex-1 px-3">
          <PrinterIcon aria-hidden /> {link("poster")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader title={t("title")} text={t("text")} />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-medium text-sm">{t("kind")}</legend>
          {POSTER_KINDS.map((one) => (
            <label key={one} className={CHOICE}>
              <input
                type="radio"
                name={`${id}-kind`}
                className="size-4 shrink-0 accent-primary"
                checked={kind === one}
                onChange={() => setKind(one)}
              />
              <span className="min-w-0">
                <span className="block font-medium text-sm">{t(`kinds.${one}`)}</span>
                <span className="block text-muted-foreground text-xs">{t(`hints.${one}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend className="mb-2 font-medium text-sm">{t("language")}</legend>
          <div className="grid grid-cols-3 gap-2">
            {POSTER_LANGUAGES.map((one) => (
              <label key={one} className={`${CHOICE} justify-center text-center text-sm`}>
                <input
                  type="radio"
                  name={`${id}-language`}
                  className="sr-only"
                  checked={language === one}
                  onChange={() => setLanguage(one)}
                />
                {t(`languages.${one}`)}
              </label>
            ))}
          </div>
        </fieldset>
        <DialogFooter>
          <Button asChild>
            <a href={`${href}?kind=${kind}&language=${language}`}>
              <DownloadIcon aria-hidden /> {t("download")}
            </a>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
