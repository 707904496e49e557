import { SearchXIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { MessageScreen } from "./message-screen";

/** What does not exist for this reader, within a panel. `href` leads back to where there is something. */
export function NotFoundScreen({ href = "/" }: { href?: string }) {
  const t = useTranslations("notFound");
  return (
    <MessageScreen
      level={2}
      icon={SearchXIcon}
      title={t("title")}
      description={t("description")}
      actions={
        <Button asChild>
          <Link href={href}>{t("back")}</Link>
        </Button>
      }
    />
  );
}
