"use client";

import { ShieldIcon, XIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useLayoutEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

const HIDDEN = "factorHint";

/** The demo's line for administrators, whom production asks for a second factor. The next tab shows it again. */
export function FactorHint({ href }: { href: string }) {
  const t = useTranslations("factors");
  const [hidden, setHidden] = useState(false);
  useLayoutEffect(() => setHidden(sessionStorage.getItem(HIDDEN) !== null), []);
  if (hidden) return null;
  return (
    <Alert variant="warning" className="items-center pe-12" icon={ShieldIcon}>
      <span>
        {t("demoHint")}{" "}
        <Link
          href={href}
          className="inline-block font-medium underline underline-offset-4 pointer-coarse:-my-3 pointer-coarse:py-3"
        >
          {t("demoHintLink")}
        </Link>
      </span>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t("demoHintHide")}
        className="absolute end-1.5 top-1.5"
        onClick={() => {
          sessionStorage.setItem(HIDDEN, "1");
          setHidden(true);
        }}
      >
        <XIcon aria-hidden />
      </Button>
    </Alert>
  );
}
