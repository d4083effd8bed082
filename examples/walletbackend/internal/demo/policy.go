package demo

import (
	"bytes"
	"context"
	"os"
	"text/template"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// Template is the template of the policy that users' keys are made under.
const Template = "user"

// policyText has 20 SOL for each user at once and 100 SOL a day, and as much of each token in
// millions of its smallest units; ten times of it for all users together.
var policyText = template.Must(template.New("policy").Parse(`version = 1
genesis = "{{.Genesis}}"
[fees]
network = 10_000_000
tip = 100_000_000
rent = 100_000_000
foreign_rent = 100_000_000
[[template]]
name = "user"
most = 1000
made = [{length = "1h", most = 50}]
{{range .Mints}}[[template.ceiling]]
mint = "{{.}}"
transaction = 20_000_000_000
window = [{length = "24h", most = 100_000_000_000}]
[[template.exposure]]
mint = "{{.}}"
most = 1_000_000_000_000
[[template.sum]]
mint = "{{.}}"
window = [{length = "24h", most = 1_000_000_000_000}]
{{end}}{{range $name, $pins := .Pins}}[[service]]
name = "{{$name}}"
blind = true
{{range $pins}}[[service.pin]]
program = "{{.}}"
may_write = ["any"]
{{end}}{{end}}[[client]]
name = "backend"
uid = {{.UID}}
templates = ["user"]
services = [{{range $name, $_ := .Pins}}"{{$name}}", {{end}}]
share = 100
rate = 100
`))

// Policy is the policy of a signer of a sandbox's users, whose client is this process's user.
func Policy(ctx context.Context, s *sandbox.Sandbox, pins map[string][]signing.PublicKey) (string, error) {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return "", err
	}
	genesis, err := node.Genesis(ctx)
	if err != nil {
		return "", err
	}
	mints := []string{"SOL"}
	for _, token := range s.Ledger().Tokens() {
		if token.Mint != walletfi.NativeMint {
			mints = append(mints, token.Mint)
		}
	}
	var text bytes.Buffer
	err = policyText.Execute(&text, map[string]any{
		"Genesis": genesis, "Mints": mints, "Pins": pins, "UID": os.Getuid(),
	})
	return text.String(), err
}
