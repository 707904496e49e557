import { SearchXIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";

/** What does not exist for this reader, and the way home. */
export function NotFoundScreen() {
  const t = useTranslations("notFound");
  return (
    <EmptyState
      icon={SearchXIcon}
      title={t("title")}
      description={t("text")}
      action={
        <Button asChild size="lg">
          <Link href="/">{t("home")}</Link>
        </Button>
      }
    />
  );
}
