import { ShieldIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Alert, AlertDescription } from "@/components/ui/alert";

/** The demo's line for administrators: production asks them for a second factor, which they can set here as well. */
export function FactorHint({ href }: { href: string }) {
  const t = useTranslations("factors");
  return (
    <Alert variant="warning" className="mb-5">
      <ShieldIcon aria-hidden />
      <AlertDescription>
        {t("demoHint")}{" "}
        <Link
          href={href}
          className="inline-block font-medium underline underline-offset-4 pointer-coarse:-my-3 pointer-coarse:py-3"
        >
          {t("demoHintLink")}
        </Link>
      </AlertDescription>
    </Alert>
  );
}
