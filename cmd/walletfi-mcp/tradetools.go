package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// tradeInstructions are added with --allow-trades.
const tradeInstructions = ` A swap takes two calls: prepare_swap, and execute with the digest of its answer ` +
	`alone. A signer that you cannot change decides; if an answer says that it waits, a person must approve it ` +
	`there, and nothing that you can call does.`

const tradeTools = 2

// openTrader opens the node, the signer and the wallet. secrets are those that it uses besides the services'.
func (c *config) openTrader(
	ctx context.Context, s *service, d *deployment.Deployment, journal wallet.Journal,
) (t *trader, secrets []string, err error) {
	made, key, err := c.open("swap", d, nil)
	if err != nil {
		return nil, nil, err
	}
	url, err := c.nodeURL()
	if err != nil {
		return nil, nil, err
	}
	secrets = []string{key.Reveal(), url.Reveal()}
	node, err := rpcnode.New(rpcnode.Config{URL: url, AllowHTTP: c.allowHTTP})
	if err != nil {
		return nil, secrets, err
	}
	policy, err := readPins(c.pins)
	if err != nil {
		return nil, secrets, err
	}
	policy.Resolver, policy.Simulator = node, node
	owner, err := client.Dial(ctx, c.signer, c.owner)
	if err != nil {
		return nil, secrets, fmt.Errorf("--signer: %w", err)
	}
	t = &trader{
		swap: made.Interface().(*swap.Client), guard: signing.NewGuard(policy), key: owner,
		prepared: map[string]*prepared{},
	}
	t.wallet, err = wallet.New(wallet.Config{Signer: owner, Node: node, Guard: t.guard, Journal: journal})
	if err != nil {
		return nil, secrets, err
	}
	s.close = append(s.close, t.wallet.Close)
	return t, secrets, nil
}

// nodeURL is the address of the node, which often has a key in it.
func (c *config) nodeURL() (walletfi.Secret, error) {
	if c.nodeFile != "" {
		return secretFromFile(c.nodeFile)
	}
	return secretOf("the variable "+variable("node", "URL"), []byte(os.Getenv(variable("node", "URL"))))
}

// readPins reads what programs the swap service may call, as signing.Policy has it.
func readPins(file string) (p signing.Policy, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return p, fmt.Errorf("--pins: %w", err)
	}
	var pins struct {
		Pins      map[string][]signing.PublicKey `json:"pins"`
		TypedPins map[string][]signing.Pin       `json:"typedPins"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&pins); err != nil {
		return p, fmt.Errorf("--pins: %s: %w", file, err)
	}
	return signing.Policy{Pins: pins.Pins, TypedPins: pins.TypedPins}, nil
}

// tradeProblem says what --allow-trades lacks.
func (c *config) tradeProblem() error {
	switch {
	case !c.trades && (c.signer != "" || c.owner != "" || c.pins != "" || c.nodeFile != ""):
		return errors.New("--signer, --owner, --pins and --node-file are for --allow-trades")
	case c.trades && (c.signer == "" || c.pins == "" || c.state == ""):
		return errors.New("--allow-trades needs --signer, --pins and --state: there is no other key than the signer's")
	}
	return nil
}

// swapInput has the members that prepare_swap takes: those of swap.OrderRequest.
func swapInput() (in input) {
	in = inputOf("swap.BuildOrder", reflect.TypeOf((*swap.Client).BuildOrder))
	taken := map[string]bool{"inputMint": true, "outputMint": true, "amount": true, "slippageBps": true}
	var kept []member
	for _, m := range in.members {
		if m.required = true; taken[m.name] {
			kept = append(kept, m)
		}
	}
	in.members = kept
	return in
}

var isDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// addTrades adds prepare_swap and execute.
func (s *service) addTrades(t *trader) {
	in := swapInput()
	schema := in.schema()
	delete(schema["properties"].(map[string]any), "cursor")
	schema["required"] = []string{"inputMint", "outputMint", "amount", "slippageBps"}
	s.server.AddTool(&mcp.Tool{
		Name: "prepare_swap",
		Description: "Quotes a swap of the signer's owner and says what it would do: the least that arrives, the guard's " +
			"report, and what the signer would say. Nothing is signed. The digest is for execute.",
		InputSchema: schema, OutputSchema: outputSchema(reflect.TypeFor[quoted]()),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, s.handler(func(ctx context.Context, arguments []byte) (any, error) {
		all, err := given(arguments)
		if err != nil {
			return nil, err
		}
		args, err := in.decode(all)
		if err != nil {
			return nil, err
		}
		q, err := t.prepare(ctx, args[0].Interface().(swap.OrderRequest))
		return answerOf(q), err
	}))
	digest := member{name: "digest", kind: reflect.TypeFor[string](), required: true, text: "of prepare_swap's answer"}
	takes := input{members: []member{digest}, args: []reflect.Type{digest.kind}}
	s.server.AddTool(&mcp.Tool{
		Name: "execute",
		Description: "Executes what was prepared, by its digest alone: once, however often it is called. If the state is " +
			"waits, people must approve it at the signer first.",
		InputSchema: map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"digest"},
			"properties": map[string]any{"digest": map[string]any{"type": "string", "pattern": isDigest.String()}},
		},
		OutputSchema: outputSchema(reflect.TypeFor[executed]()),
		Annotations:  &mcp.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true},
	}, s.handler(func(ctx context.Context, arguments []byte) (any, error) {
		all, err := given(arguments)
		if err != nil {
			return nil, err
		}
		args, err := takes.decode(all)
		if err != nil {
			return nil, err
		}
		if !isDigest.MatchString(args[0].String()) {
			return nil, refuse("digest", "must be the 64 digits of a prepared swap")
		}
		e, err := t.execute(ctx, args[0].String())
		return answerOf(e), err
	}))
}

func answerOf(v any) *answer { return &answer{Answer: v} }
