package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

const doctorLong = `doctor looks at what a program of docs/going-live.md needs before it pays: the key's file, the
node and what it can prove, the machine's clock against the ledger's, the limits of a config,
a deployment's file, a signer's socket. Each has a verdict, and what to do about it. Nothing is
signed or sent. Only the node and the signer that are named here are asked; what the node can
prove takes some 20 calls, and minutes of one that can prove little. No secret is printed.`

const doctorExample = `  walletfi doctor --key-file wallet.json --config live.json --signer /run/walletfi/signer.sock
  WALLETFI_NODE_URL=https://... walletfi doctor --json`

// The verdicts.
const (
	good    = "ok"
	wrong   = "wrong"
	skipped = "not configured"
)

// finding is a verdict: an object of --json. Members may be added from version to version.
type finding struct {
	What    string `json:"what"`
	Verdict string `json:"verdict"`
	Found   string `json:"found,omitempty"`
	Do      string `json:"do,omitempty"`
}

type doctor struct {
	explain // for its node

	key, config, deployment, signer string
	timeout                         time.Duration
	mask                            *peer.Mask
}

func newDoctor(s streams) *cobra.Command {
	d := &doctor{explain: explain{streams: s}}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Look at keys, node, clock, limits, deployment and signer, and say what to do",
		Long: doctorLong, Example: doctorExample, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return d.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&d.key, "key-file", "", "the wallet's key, a `file` as solana-keygen writes it")
	f.StringVar(&d.nodeFile, "node-file", "", "a `file` with the node's URL, by default $"+nodeVariable)
	f.StringVar(&d.config, "config", "", "a JSON `file` with maxFeeLamports, mostPerDay and mostLamportsPerDay")
	f.StringVar(&d.deployment, "deployment", "", "a vendor's `file`")
	f.StringVar(&d.signer, "signer", "", "the Unix `socket` of a signer")
	f.DurationVar(&d.timeout, "timeout", 5*time.Minute, "how long it may take")
	f.BoolVar(&d.asJSON, "json", false, "print JSON")
	return cmd
}

func (d *doctor) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	d.mask = peer.NewMask([]string{os.Getenv(nodeVariable)})
	all := []finding{d.keys(), d.limits(), d.vendor(), d.signers(ctx)}
	all = append(all, d.nodes(ctx)...)
	bad := 0
	for _, f := range all {
		if f.Verdict == wrong {
			bad++
		}
	}
	if d.asJSON {
		if err := d.printJSON(all); err != nil {
			return err
		}
	} else {
		for _, f := range all {
			fmt.Fprintf(d.out, "%-10s  %s\n", f.What, strings.TrimSuffix(f.Verdict+": "+f.Found, ": "))
			if f.Do != "" {
				fmt.Fprintf(d.out, "%10s  %s\n", "", f.Do)
			}
		}
	}
	if bad > 0 {
		return as(statusDiffers, fmt.Errorf("wrong: %d of %d; each line says what to do", bad, len(all)))
	}
	return nil
}

// finds makes a verdict of an error. do helps against it.
func (d *doctor) finds(what, found string, err error, do string) finding {
	if err != nil {
		return finding{what, wrong, plain(d.mask.Text(err.Error())), do}
	}
	return finding{What: what, Verdict: good, Found: plain(d.mask.Text(found))}
}

func (d *doctor) keys() finding {
	if d.key == "" {
		return finding{"key", skipped, "", "--key-file FILE looks at it"}
	}
	key, err := signing.LoadLocalKey(d.key)
	if err != nil {
		return d.finds("key", "", err, "make it with solana-keygen, and chmod 600 it: only its owner may read it")
	}
	defer key.Close()
	return d.finds("key", "address "+key.PublicKey().String()+", closed to others", nil, "")
}

// limits holds a config to having each limit of docs/going-live.md.
func (d *doctor) limits() finding {
	if d.config == "" {
		return finding{"limits", skipped, "", "--config FILE looks at them"}
	}
	text, err := d.readFile(d.config, mostText)
	var members map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	var shown []string
	for _, name := range []string{"maxFeeLamports", "mostPerDay", "mostLamportsPerDay"} {
		value := strings.Trim(string(members[name]), `"`)
		if n, bad := strconv.ParseUint(value, 10, 64); err == nil && (bad != nil || n == 0) {
			err = fmt.Errorf("%s: %s is missing, zero or no whole number", d.config, name)
		}
		shown = append(shown, name+" "+value)
	}
	return d.finds("limits", strings.Join(shown, ", "), err,
		"state maxFeeLamports, mostPerDay and mostLamportsPerDay in smallest units: see docs/going-live.md")
}

func (d *doctor) vendor() finding {
	if d.deployment == "" {
		return finding{"deployment", skipped, "", "--deployment FILE looks at it, if the vendor's words differ"}
	}
	v, err := d.readDeployment(d.deployment)
	services := 0
	if err == nil {
		services = len(v.Services)
	}
	return d.finds("deployment", fmt.Sprintf("services %d, no mistake", services), err,
		"walletfi deployment check lists each mistake")
}

// signers asks a signer for its owners, as its clients do.
func (d *doctor) signers(ctx context.Context) finding {
	const do = "start walletfi-signer, and name this user in its policy and the socket's group: see docs/signer.md"
	if d.signer == "" {
		return finding{"signer", skipped, "", "--signer SOCKET asks it: with one, the key is in no program that trades"}
	}
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", d.signer)
		},
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://signer/v1/owners", nil)
	if err != nil {
		return d.finds("signer", "", err, do)
	}
	answer, err := client.Do(request)
	if err != nil {
		return d.finds("signer", "", err, do)
	}
	defer answer.Body.Close()
	var owners []struct{ Name, Key string }
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostText))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the signer answered %d", answer.StatusCode)
	}
	if err == nil && json.Unmarshal(body, &owners) != nil {
		err = errors.New("what answers is no signer")
	}
	if err == nil && len(owners) == 0 {
		err = errors.New("the signer has no owner for this user")
	}
	return d.finds("signer", fmt.Sprintf("answers, owners %d", len(owners)), err, do)
}

// skew is by how much the machine's clock may differ from the ledger's, which is final seconds late.
const skew = 2 * time.Minute

func (d *doctor) nodes(ctx context.Context) []finding {
	if d.nodeFile == "" && os.Getenv(nodeVariable) == "" {
		return []finding{{"node", skipped, "", "--node-file FILE or $" + nodeVariable + " asks it, and the clock"}}
	}
	node, err := d.openNode()
	if err != nil {
		return []finding{d.finds("node", "", err, "put the node's URL into a file that only you can read")}
	}
	ability, err := node.Prove(ctx)
	if err == nil && !ability.Recent {
		err = fmt.Errorf("it cannot prove that a payment has expired: %s", strings.Join(ability.Missing, "; "))
	}
	if err != nil {
		return []finding{d.finds("node", "", err, "take another node: docs/landing.md has the kinds that can prove it")}
	}
	found := fmt.Sprintf("proves: recent %t, old %t, sponsored %t, nonces %t",
		ability.Recent, ability.Old, ability.Sponsored, ability.Nonces)
	return []finding{d.finds("node", found, nil, ""), d.clock(ctx, node)}
}

func (d *doctor) clock(ctx context.Context, node *rpcnode.Client) finding {
	final, err := node.FinalHead(ctx)
	var at time.Time
	if err == nil {
		at, err = node.FinalTime(ctx, final.Slot)
	}
	ahead := time.Since(at).Round(time.Second)
	if err == nil && ahead.Abs() > skew {
		err = fmt.Errorf("this machine is %s ahead of the ledger's final block", ahead)
	}
	return d.finds("clock", fmt.Sprintf("%s ahead of the ledger's final block", ahead), err,
		"set the clock by NTP, or ask another node, if this one lags")
}
