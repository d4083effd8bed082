package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestBrowserDepositWithdrawBurn goes through the other forms.
func TestBrowserDepositWithdrawBurn(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.visit("/lending")
	b.accessible()
	b.run(chromedp.SendKeys(`//li[h3="USDC"]//input[@name="amount"]`, "100"), chromedp.Click(`//li[h3="USDC"]//button`), chromedp.WaitVisible("#approve"))
	b.approve("Deposit 100 USDC")
	b.visit("/lending")
	b.shoot("lending")
	b.run(chromedp.SendKeys("#withdraw0", "40"), chromedp.Click(`#deposits + ul button`), chromedp.WaitVisible("#approve"))
	b.approve("Withdraw 40 USDC")
	require.EqualValues(t, 940_000_000, p.box.Ledger().TokenBalance(p.wallet(t, "alice"), p.box.Mint("USDC")))
	b.visit("/burn")
	b.accessible()
	b.shoot("burn")
	b.run(chromedp.Click(`//button[.="Burn all DUST"]`), chromedp.WaitVisible("#approve"))
	b.approve("Burn all DUST")
	b.visit("/burn")
	b.run(chromedp.Click(`//button[.="Review closing them"]`), chromedp.WaitVisible("#approve"))
	b.approve("Close empty")
	b.visit("/burn")
	require.Contains(t, b.text("#main"), "No account is empty.")
	b.visit("/")
	b.run(chromedp.Click(`//details[contains(summary, "Open SOL")][1]/summary`), chromedp.SendKeys(`//details[@open]//input[@name="amount"]`, "20"),
		chromedp.Click(`//details[@open]//button`), chromedp.WaitVisible("#approve"))
	b.approve("Open a position with 20 USDC and leverage 2")
	b.visit("/")
	require.Regexp(t, `\b60(\.000\d+)? USDC`, b.text("#portfolio"), "with the interest of some seconds")
	require.Contains(t, b.text("#portfolio"), "SOL × 2")
	require.Contains(t, b.text("#portfolio"), "pocket money")
	b.accessible()
	b.shoot("portfolio")
	b.run(chromedp.Click(`//button[starts-with(., "Close ")]`), chromedp.WaitVisible("#approve"))
	b.approve("Close the position")
	require.Empty(t, p.box.Violations())
	b.quiet()
}

// approve approves the payment under review and waits for its end.
func (b *tab) approve(title string) {
	b.t.Helper()
	require.Contains(b.t, b.text("h1"), title)
	b.run(chromedp.Click("#approve"))
	b.awaitState("confirmed")
}

func TestBrowserPrices(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{})
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.visit("/prices")
	b.run(chromedp.WaitVisible("#chart[data-drawn] canvas"))
	var drawn int
	b.eval(`Number(document.getElementById("chart").dataset.drawn)`, &drawn)
	require.Greater(t, drawn, 100)
	b.accessible()
	b.shoot("prices")
	b.quiet()
}

// TestBrowserWebhookArrives shows a webhook on an open page, without a reload.
func TestBrowserWebhookArrives(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.visit("/activity")
	b.run(chromedp.WaitReady(`body[data-live="on"]`))
	require.Contains(t, b.text("#events"), "None yet")
	other := b.another()
	other.quotes("25")
	other.review()
	other.approve("Swap 25 USDC")
	b.run(chromedp.WaitVisible(`//section[@id="events"]//span[text()="A transaction of your wallet succeeded"]`))
	b.run(chromedp.WaitVisible(`//section[@id="activity"]//span[contains(@class, "good")]`))
	b.accessible()
	b.shoot("activity")
	b.quiet()
	other.quiet()
}

// TestBrowserNarrow shows each page on a telephone.
func TestBrowserNarrow(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.run(chromedp.EmulateViewport(375, 812, chromedp.EmulateMobile))
	narrow := func(name string) {
		t.Helper()
		var width int
		b.eval(`document.documentElement.scrollWidth`, &width)
		b.shoot("narrow-" + name)
		require.LessOrEqual(t, width, 375, name)
		b.accessible()
	}
	for name, path := range map[string]string{"portfolio": "/", "prices": "/prices", "lending": "/lending", "burn": "/burn"} {
		b.visit(path)
		narrow(name)
	}
	b.quotes("25")
	narrow("swap")
	b.review()
	narrow("review")
	b.run(chromedp.Click("#approve"))
	b.awaitState("confirmed")
	narrow("confirmed")
	b.visit("/activity")
	narrow("activity")
	b.quiet()
}
