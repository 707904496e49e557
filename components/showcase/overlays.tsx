"use client";

import { CircleXIcon, EllipsisIcon, PencilIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { ConfirmButton } from "@/components/data/confirm-button";
import { GuardedSteps } from "@/components/data/guarded-steps";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { useNotify } from "@/components/ui/notify";
import {
  Sheet,
  SheetContent,
  SheetDescription,
  SheetHeader,
  SheetTitle,
  SheetTrigger,
} from "@/components/ui/sheet";
import { formatQar } from "@/lib/domain/money";
import { Row, Section } from "./section";
import { useReader } from "./use-reader";

const SIDES = ["bottom", "start", "end"] as const;

/** The elements that open above a page: dialogs, sheets, a menu and notices. */
export function Overlays() {
  const t = useTranslations("showcase");
  const notify = useNotify();
  return (
    <Section id="overlays" title={t("overlays")}>
      <Row label={t("dialogs")}>
        <Dialog>
          <DialogTrigger asChild>
            <Button variant="outline">{t("dialog")}</Button>
          </DialogTrigger>
          <DialogContent>
            <DialogHeader>
              <DialogTitle>{t("dialogTitle")}</DialogTitle>
              <DialogDescription>{t("dialogText")}</DialogDescription>
            </DialogHeader>
            <DialogFooter>
              <DialogCancel />
              <Button>{t("save")}</Button>
            </DialogFooter>
          </DialogContent>
        </Dialog>
        <ConfirmButton
          variant="outline"
          title={t("confirmTitle")}
          description={t("confirmText")}
          confirmLabel={t("remove")}
          run={async () => ({ ok: true, data: null })}
        >
          {t("confirm")}
        </ConfirmButton>
        <Guarded />
      </Row>
      <Row label={t("sheets")}>
        {SIDES.map((side) => (
          <Sheet key={side}>
            <SheetTrigger asChild>
              <Button variant="outline">{t(`sides.${side}`)}</Button>
            </SheetTrigger>
            <SheetContent side={side}>
              <SheetHeader>
                <SheetTitle>{t("dialogTitle")}</SheetTitle>
                <SheetDescription>{t("dialogText")}</SheetDescription>
              </SheetHeader>
            </SheetContent>
          </Sheet>
        ))}
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="outline" size="icon" aria-label={t("menu")}>
              <EllipsisIcon aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            <DropdownMenuItem>
              <PencilIcon aria-hidden /> {t("edit")}
            </DropdownMenuItem>
            <DropdownMenuItem variant="destructive">
              <CircleXIcon aria-hidden /> {t("remove")}
            </DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
      </Row>
      <Row label={t("notices")}>
        <Button variant="outline" onClick={() => notify.success(t("notice.success"))}>
          {t("variants.success")}
        </Button>
        <Button variant="outline" onClick={() => notify.error(t("notice.error"))}>
          {t("variants.destructive")}
        </Button>
        <Button variant="outline" onClick={() => notify.neutral(t("notice.neutral"))}>
          {t("neutral")}
        </Button>
        <Button variant="outline" onClick={() => notify.neutral()}>
          {t("withoutText")}
        </Button>
      </Row>
    </Section>
  );
}

function Guarded() {
  const t = useTranslations("showcase");
  const locale = useReader();
  const [before, after] = [formatQar("11173.75", locale), formatQar("15304.75", locale)];
  return (
    <Sheet>
      <SheetTrigger asChild>
        <Button variant="outline">{t("guarded")}</Button>
      </SheetTrigger>
      <SheetContent side="bottom" className="mx-auto max-w-2xl">
        <GuardedSteps
          title={t("guardedTitle")}
          description={t("guardedText")}
          facts={[{ label: t("owed"), before, after, strong: true }]}
          expected="137"
          submit={(ready) => <Button disabled={!ready}>{t("save")}</Button>}
        />
      </SheetContent>
    </Sheet>
  );
}
