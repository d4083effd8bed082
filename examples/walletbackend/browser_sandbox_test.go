package main

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestBrowserSandboxPage reads the page of the sandbox's control port in a browser.
func TestBrowserSandboxPage(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true, Control: &sandbox.ControlPort{Token: "control-token"}})
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.quotes("25")
	b.review()
	b.run(chromedp.Click("#approve"))
	b.awaitState("confirmed")
	own := strings.TrimPrefix(p.box.URL(sandbox.Control), "http://")
	b.url = "http://me:control-token@" + own
	b.visit("/")
	require.Contains(t, b.text("#accounts"), p.box.WalletAddress())
	require.Contains(t, b.text("#transactions"), "executed")
	require.Contains(t, b.text("#requests"), "sendTransaction")
	b.run(chromedp.Click("#transactions summary"), chromedp.WaitVisible("#transactions pre"))
	require.Contains(t, b.text("#transactions pre"), "Program ")
	b.accessible()
	b.shoot("sandbox-page")
	b.run(chromedp.SendKeys(`input[name="service"]`, "rpc"), chromedp.Click("#requests button"),
		chromedp.WaitReady(`input[value="rpc"]`))
	require.NotContains(t, b.text("#requests"), "/order")
	require.Contains(t, b.text("#requests"), "sendTransaction")
	var background string
	b.eval(`getComputedStyle(document.querySelector("#requests pre")).whiteSpace`, &background)
	require.Equal(t, "pre-wrap", background, "the style sheet applies")
	b.quiet()
}
