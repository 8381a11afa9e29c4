/** A link may lead into something that is closed: it opens. */
export function openAddressedDetails(): void {
  const open = (): void => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let each = target?.closest('details'); each; each = each.parentElement?.closest('details')) each.open = true;
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener('hashchange', open);
  open();
}
