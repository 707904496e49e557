import type { MenuAction } from "./action-menu";
import { ConfirmDialog, type ConfirmProps } from "./confirm-dialog";

type Asked<R> = Omit<MenuAction, "dialog"> &
  Omit<ConfirmProps<R>, "confirmLabel" | "confirmVariant"> & { confirmLabel?: string };

/** An entry of a row's menu that asks for confirmation first. Its own label confirms, unless another is given. */
export function askedAction<R>({ key, label, icon, variant, ...ask }: Asked<R>): MenuAction {
  return {
    key,
    label,
    icon,
    variant,
    dialog: (close) => (
      <ConfirmDialog confirmLabel={label} confirmVariant={variant ?? "default"} {...ask} onClose={close} />
    ),
  };
}
