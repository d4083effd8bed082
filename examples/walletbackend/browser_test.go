package main

import (
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer/grant"
)

func TestBrowserSwap(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	b := openTab(t, p)
	b.visit("/login")
	b.accessible()
	b.shoot("login")
	b.signIn(p, "alice")
	b.quotes("25")
	b.accessible()
	b.shoot("swap-quotes")
	b.review()
	require.Contains(t, b.text("#payment"), "25 USDC")
	require.Contains(t, b.text("#payment"), "Proven")
	b.accessible()
	b.shoot("swap-review")
	b.run(chromedp.Click("#approve"))
	b.awaitState("confirmed")
	b.shoot("swap-confirmed")
	require.EqualValues(t, 975_000_000, p.box.Ledger().TokenBalance(p.wallet(t, "alice"), p.box.Mint("USDC")))
	require.Empty(t, p.box.Violations())
	b.quiet()
}

func TestBrowserRefusedAttack(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	b := openTab(t, p)
	b.signIn(p, "alice")
	before := p.box.Ledger().Balance(p.wallet(t, "alice"))
	b.visit("/swap")
	b.run(chromedp.Click(`button[value="on"]`), chromedp.WaitVisible(`//p[text()="The attack is on."]`))
	b.quotes("25")
	b.review()
	b.awaitState("refused")
	require.Equal(t, "system.transfer", b.text(".rule"))
	require.Contains(t, b.text(".refusal"), "Nothing was signed")
	b.accessible()
	b.shoot("attack-refused")
	var buttons int
	b.eval(`document.querySelectorAll("#approve").length`, &buttons)
	require.Zero(t, buttons, "it cannot be approved")
	require.Equal(t, before, p.box.Ledger().Balance(p.wallet(t, "alice")))
	b.visit("/swap")
	b.run(chromedp.Click(`button[value="off"]`), chromedp.WaitVisible(`//p[text()="The attack is off."]`))
	b.quotes("25")
	b.review()
	b.awaitState("review")
	b.quiet()
}

// TestBrowserRestart kills the server while a transaction is on its way. The page
// stays open and tells the end by itself.
func TestBrowserRestart(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{ManualClock: true})
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.quotes("25")
	b.review()
	b.run(chromedp.Click("#approve"))
	b.awaitState("executing")
	b.run(chromedp.WaitReady(`body[data-live="on"]`))
	sent := sandbox.Route{Service: sandbox.RPC, Method: "POST", Pattern: "sendTransaction"}
	require.Eventually(t, func() bool { return p.box.Hits()[sent] > 0 }, waitMost, waitEvery, "it was not sent")
	b.shoot("restart-executing")
	p.kill()
	b.run(chromedp.WaitReady(`body[data-live="off"]`))
	p.start(t)
	b.run(chromedp.WaitReady(`body[data-live="on"]`))
	p.box.Advance(10 * time.Second)
	b.awaitState("confirmed")
	require.EqualValues(t, 975_000_000, p.box.Ledger().TokenBalance(p.wallet(t, "alice"), p.box.Mint("USDC")), "paid once")
	b.quiet("network ")
}

// TestBrowserTwoTabs approves the same payment in two tabs at once.
func TestBrowserTwoTabs(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	first := openTab(t, p)
	first.signIn(p, "alice")
	first.quotes("25")
	first.review()
	var address string
	first.eval(`location.pathname`, &address)
	second := first.another()
	second.visit(address)
	var group sync.WaitGroup
	errs := make([]error, 2)
	for i, b := range []*tab{first, second} {
		// In one step: the one's approval takes the button away from the other.
		click := chromedp.Evaluate(`document.querySelector("#approve")?.click()`, nil)
		group.Go(func() { errs[i] = chromedp.Run(b.ctx, click) })
	}
	group.Wait()
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
	first.awaitState("confirmed")
	second.awaitState("confirmed")
	require.EqualValues(t, 975_000_000, p.box.Ledger().TokenBalance(p.wallet(t, "alice"), p.box.Mint("USDC")), "paid once")
	first.quiet()
	second.quiet()
}

// TestBrowserExpired lets a quote's blockhash end while it is being read.
func TestBrowserExpired(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{ManualClock: true, InstantConfirmation: true})
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.quotes("25")
	b.review()
	p.box.Advance(5 * time.Minute)
	b.run(chromedp.Click("#approve"), chromedp.WaitVisible(`.notice.warn[role=alert]`)) // the review has others
	require.Contains(t, b.text(".notice.warn[role=alert]"), "Here is a new quote")
	b.awaitState("review")
	b.shoot("expired-new-quote")
	b.run(chromedp.Click("#approve"))
	b.awaitState("confirmed")
	b.quiet()
}

// TestBrowserWaits: a payment waits for the signer's approvers, and goes on without a reload.
func TestBrowserWaits(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true}, withApprover(t)...)
	b := openTab(t, p)
	b.signIn(p, "alice")
	b.quotes("40")
	b.review()
	b.run(chromedp.Click("#approve"))
	b.awaitState("waiting")
	grants := p.signer.Grants("")
	require.Len(t, grants, 1)
	require.Contains(t, b.text("#payment"), "walletfi-signer approve "+grants[0].Grant.ID)
	var link string
	b.eval(`document.querySelector("#payment a[rel=noreferrer]").href`, &link)
	require.Equal(t, "https://signer.example/grants/"+grants[0].Grant.ID, link)
	b.accessible()
	b.shoot("waiting")
	p.signer.says(t, grants[0], grant.Approves)
	b.awaitState("confirmed")
	b.quiet()
}

// TestBrowserKeyboard signs in, swaps and approves without a mouse.
func TestBrowserKeyboard(t *testing.T) {
	if !browser(t) {
		return
	}
	p := startProcess(t, sandbox.Config{InstantConfirmation: true})
	b := openTab(t, p)
	b.visit("/login")
	b.tabTo("#name")
	b.run(chromedp.KeyEvent("alice"))
	b.tabTo("#password")
	b.run(chromedp.KeyEvent(p.password), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#tokens"))
	b.tabTo(`a[href="/swap"]`)
	b.run(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#amount"))
	b.tabTo("#amount")
	b.run(chromedp.KeyEvent("25"), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#quotes"))
	b.tabTo(".cards button")
	b.run(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#state"))
	b.tabTo("#approve")
	var outline string
	b.eval(`getComputedStyle(document.activeElement).outlineStyle`, &outline)
	require.Equal(t, "solid", outline, "the focus can be seen")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.awaitState("confirmed")
	b.quiet()
}

// tabTo presses Tab until an element that matches has the focus.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	for range 80 {
		var there bool
		b.run(chromedp.KeyEvent(kb.Tab))
		b.eval(`document.activeElement.matches('`+selector+`')`, &there)
		if there {
			return
		}
	}
	require.Fail(b.t, "the keyboard does not reach it", selector)
}
