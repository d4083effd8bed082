package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// The environment of the browser tests.
const (
	// browserRequired makes a missing Chromium a failure.
	browserRequired = "WALLETBACKEND_BROWSER"
	// screenshotFolder is where screenshots are written to, if it is set.
	screenshotFolder = "WALLETBACKEND_SCREENSHOTS"
)

// patience bounds a browser test, on a machine that is busy.
const patience = 2 * time.Minute

// startBrowser starts a browser of the test's own, without cookies.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"),
		chromedp.NoSandbox, // it runs as root in a container
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Run(ctx))
	return ctx
}

// tab is a tab of the browser. It fails the test on an error in the console.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	problems []string
}

// openTab opens a tab in a browser of its own.
func openTab(t *testing.T, p *process) *tab {
	t.Helper()
	return newTab(t, startBrowser(t), "http://"+p.address)
}

// another opens a tab with the same cookies.
func (b *tab) another() *tab {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.t.Cleanup(cancel)
	require.NoError(b.t, chromedp.Run(ctx))
	return newTab(b.t, ctx, b.url)
}

func newTab(t *testing.T, ctx context.Context, url string) *tab {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, url: url}
	chromedp.ListenTarget(ctx, b.listen)
	b.run(chromedp.EmulateViewport(1100, 900))
	return b
}

// listen notes what a developer would see in red.
func (b *tab) listen(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			for _, argument := range e.Args {
				text += string(argument.Value) + argument.Description
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			text = fmt.Sprintf("%s %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	}
	if text != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, text)
	}
}

// quiet asserts that the console had no error, but for those that contain one of
// the given texts.
func (b *tab) quiet(but ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		expected := false
		for _, text := range but {
			expected = expected || strings.Contains(problem, text)
		}
		require.True(b.t, expected, "the console says: %s", problem)
	}
}

// run does actions in the tab.
func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.shoot("failed-" + b.t.Name())
		require.NoError(b.t, err)
	}
}

// visit opens a page.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.url+path), chromedp.WaitReady("#main"))
}

// signIn signs a user in by the form.
func (b *tab) signIn(p *process, name string) {
	b.t.Helper()
	b.visit("/login")
	b.run(chromedp.SendKeys("#name", name), chromedp.SendKeys("#password", p.password),
		chromedp.Click("main button"), chromedp.WaitVisible("#tokens"))
}

// quotes asks for quotes of so many USDC for SOL.
func (b *tab) quotes(amount string) {
	b.t.Helper()
	b.visit("/swap")
	b.run(chromedp.SendKeys("#amount", amount), chromedp.Click("#quote"), chromedp.WaitVisible("#quotes"))
}

// review has the first quote prepared, and waits for its review.
func (b *tab) review() {
	b.t.Helper()
	b.run(chromedp.Click(`//ul[@class="cards"]/li[1]//button`), chromedp.WaitVisible("#state"))
}

// awaitState waits until the page shows a payment's state, without a reload.
func (b *tab) awaitState(state string) {
	b.t.Helper()
	b.run(chromedp.WaitVisible(fmt.Sprintf(`//strong[@id="state" and text()=%q]`, state)))
}

// text returns what an element shows.
func (b *tab) text(selector string) (text string) {
	b.t.Helper()
	b.run(chromedp.Text(selector, &text, chromedp.ByQuery))
	return text
}

// eval evaluates a script into a value.
func (b *tab) eval(script string, into any) {
	b.t.Helper()
	b.run(chromedp.Evaluate(script, into, awaitPromise))
}

func awaitPromise(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// shoot writes a screenshot of the whole page, if a folder is set.
func (b *tab) shoot(name string) {
	folder := os.Getenv(screenshotFolder)
	if folder == "" {
		return
	}
	var png []byte
	if err := chromedp.Run(b.ctx, chromedp.FullScreenshot(&png, 100)); err != nil {
		b.t.Log("no screenshot:", err)
		return
	}
	require.NoError(b.t, os.MkdirAll(folder, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644))
}

// accessible asserts that axe-core finds no serious fault on the page.
func (b *tab) accessible() {
	b.t.Helper()
	axe, err := os.ReadFile("testdata/axe-core/axe.min.js")
	require.NoError(b.t, err)
	b.run(chromedp.Evaluate(string(axe)+";0", nil))
	var text string
	b.eval(`axe.run(document, {resultTypes: ["violations"]}).then((r) => JSON.stringify({passes: r.passes.length, violations:
		r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => v.id + " " + v.nodes.map((n) => n.html).join(" "))}))`, &text)
	var found struct {
		Passes     int
		Violations []string
	}
	require.NoError(b.t, json.Unmarshal([]byte(text), &found))
	require.Positive(b.t, found.Passes, "axe checked nothing")
	require.Empty(b.t, found.Violations, "%s", b.t.Name())
}

// browser reports whether there is one. CI requires it.
func browser(t *testing.T) bool {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err == nil {
		return true
	}
	require.Empty(t, os.Getenv(browserRequired), "there is no chromium")
	t.Log("not run: there is no chromium")
	return false
}
