// Package page writes the page of the control port: what a sandbox has and did, to read
// in a browser.
package page

import (
	"bytes"
	_ "embed" // for the page and its style
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/swap"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Data is all that the page shows.
type Data struct {
	Now          time.Time
	Slot, Height uint64
	Wallets      []Wallet
	Transactions []Transaction // the newest first
	Orders       []swap.Listed // the newest first
	Violations   []play.ViolationGroup
	Limits       []kit.Usage
	Faults       []kit.ActiveFault
	Filter       play.Exchange   // of the requests
	Requests     []play.Exchange // the newest first
}

// Wallet is a wallet that the sandbox knows, with what it holds.
type Wallet struct {
	Name, Address string
	Holdings      []string
}

// Transaction is a transaction that was executed.
type Transaction struct {
	Signature string
	Slot, Fee uint64
	Err       string // empty if it succeeded
	Logs      []string
}

// Style is the style sheet, at the path of the same name.
//
//go:embed page.css
var Style []byte

//go:embed page.html
var source string

var document = template.Must(template.New("page").Funcs(template.FuncMap{
	"stamp": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
	"lines": func(all []string) string { return strings.Join(all, "\n") },
}).Parse(source))

// Render writes the page.
func Render(d Data) []byte {
	var out bytes.Buffer
	if err := document.Execute(&out, d); err != nil {
		panic(fmt.Sprintf("sandbox: the page cannot be written: %v", err)) // the template is part of the program
	}
	return out.Bytes()
}
