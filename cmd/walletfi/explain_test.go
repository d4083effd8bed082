package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

func owner(t *testing.T) signing.PublicKey {
	t.Helper()
	key, err := signing.NewLocalKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	require.NoError(t, err)
	return key.PublicKey()
}

// benign returns an honest case of the corpus.
func benign(t *testing.T, name string) corpus.Benign {
	t.Helper()
	for _, b := range corpus.Benigns(corpus.Config{Owner: owner(t), Seed: 1}) {
		if b.Name == name {
			return b
		}
	}
	t.Fatalf("the corpus has no %q", name)
	return corpus.Benign{}
}

// deposit is an honest transaction that calls a program, and the program.
func deposit(t *testing.T) (base64, base58, program string) {
	t.Helper()
	b := benign(t, "lending: a deposit/v0")
	tx, err := signing.Decode(b.Unsigned.Transactions[0])
	require.NoError(t, err)
	return string(tx.Base64()), string(tx.Base58()), signing.PublicKey(b.Policy.Pins["lending"][0]).String()
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func TestExplainRefuses(t *testing.T) {
	text64, text58, program := deposit(t)
	want := command(t, "explain", text64)
	require.Equal(t, statusRefused, want.status)
	require.Contains(t, want.err, "program.unknown")
	require.Contains(t, want.err, program)
	require.Contains(t, want.err, "no intent was stated")
	require.Equal(t, 1, strings.Count(want.err, "\n"))
	golden(t, "explain-refused.txt", want.out)
	for name, got := range map[string]result{
		"base58": command(t, "explain", text58), "stated": command(t, "explain", "--encoding", "base58", text58),
		"a file": command(t, "explain", "--file", file(t, text58+"\n")), "standard input": call{in: "\n " + text64 + " \r\n"}.run(t, "explain"),
		"a dash": call{in: text64}.run(t, "explain", "-f", "-"), "the owner": command(t, "explain", "--owner", owner(t).String(), text64),
	} {
		require.Equal(t, want, got, name)
	}
}

func TestExplainPasses(t *testing.T) {
	text64, _, program := deposit(t)
	got := command(t, "explain", "--service", "lending", "--pin", program, "--blind", text64)
	require.Zero(t, got.status, got.err)
	require.Empty(t, got.err)
	golden(t, "explain-passes.txt", got.out)
	asJSON := command(t, "explain", "--service", "lending", "--pin", program, "--blind", "--json", text64)
	require.Zero(t, asJSON.status, asJSON.err)
	golden(t, "explain-passes.json", asJSON.out)
	var all explained
	require.NoError(t, json.Unmarshal([]byte(asJSON.out), &all))
	require.True(t, strings.HasPrefix(got.out, all.Report.Text()), "the report comes first, as a page shows it")
	refused := command(t, "explain", "--json", text64)
	require.Equal(t, statusRefused, refused.status)
	golden(t, "explain-refused.json", refused.out)
}

// TestExplainUnsigned: a builder's answer contains its intent, a policy file the pins
// and the tokens.
func TestExplainUnsigned(t *testing.T) {
	b := benign(t, "swap: a swap with a referral fee in tokens/v0")
	unsigned := marshal(t, b.Unsigned)
	pins := map[string][]signing.PublicKey{}
	for service, programs := range b.Policy.Pins {
		for _, p := range programs {
			pins[service] = append(pins[service], p)
		}
	}
	require.NotEmpty(t, pins)
	tokens := map[string]signing.TokenInfo{}
	for _, asset := range b.Unsigned.Intent.Spend {
		tokens[asset.Mint] = signing.TokenInfo{Symbol: "TOK", Decimals: 6}
	}
	policy := file(t, marshal(t, map[string]any{"pins": pins, "tokens": tokens, "allowBlind": []string{"swap"}}))
	got := call{in: unsigned}.run(t, "explain", "--policy", policy)
	require.Zero(t, got.status, got.err)
	require.Contains(t, got.out, "TOK")
	golden(t, "explain-unsigned.txt", got.out)
	refused := call{in: unsigned}.run(t, "explain")
	require.Equal(t, statusRefused, refused.status)
	require.NotContains(t, refused.err, "no intent was stated")

	// The same, with the intent in a file of its own.
	apart := command(t, "explain", "--policy", policy, "--intent", file(t, marshal(t, b.Unsigned.Intent)), b.Unsigned.Transactions[0].String())
	require.Equal(t, strings.TrimSpace(got.out), strings.TrimSpace(apart.out))
	call{in: unsigned}.run(t, "explain", "--intent", policy).fails(t, statusUsage, "has an intent already")
	call{in: unsigned}.run(t, "explain", "--owner", program(t)).fails(t, statusUsage, "--owner")
}

func program(t *testing.T) string {
	t.Helper()
	_, _, p := deposit(t)
	return p
}

// TestExplainIntentFlags: each flag lets pass what is refused without it.
func TestExplainIntentFlags(t *testing.T) {
	b := benign(t, "lending: a deposit/v0")
	text := b.Unsigned.Transactions[0].String()
	for name, args := range map[string][]string{
		"spend": {"--spend", "SOL:1000"}, "receive": {"--receive", signing.NativeMint.String() + ":0"},
		"tip": {"--tip", "5"}, "burn": {"--burn", "SOL:1"}, "output": {"--output-to", program(t)}, "delegate": {"--delegate", program(t)},
	} {
		got := command(t, append([]string{"explain", "--json", text}, args...)...)
		require.Equal(t, statusRefused, got.status, name)
		require.NotContains(t, got.err, "no intent was stated", name)
		var all explained
		require.NoError(t, json.Unmarshal([]byte(got.out), &all), name)
		require.NotEqual(t, marshal(t, all.Intent), marshal(t, explainedBare(t, text).Intent), name)
	}
	sponsored := command(t, "explain", "--sponsor", program(t), "--co-signer", program(t), "--pay-to", program(t), "--json", text)
	require.Equal(t, statusRefused, sponsored.status)
	require.Contains(t, sponsored.out, `"sponsor": "`+program(t))
}

func explainedBare(t *testing.T, text string) (all explained) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(command(t, "explain", "--json", text).out), &all))
	return all
}

// TestExplainSet: several transactions are one set, whose caps hold together.
func TestExplainSet(t *testing.T) {
	text64, _, program := deposit(t)
	got := command(t, "explain", "--service", "lending", "--pin", program, text64, text64)
	require.Equal(t, 2, strings.Count(got.out, "v0 transaction, "), got.err)
	command(t, "explain", text64, "garbage!").fails(t, statusMalformed, "transaction 2: ")
}

// TestExplainIDL: a folder of IDL files names instructions, and what it says is quoted.
func TestExplainIDL(t *testing.T) {
	text64, _, program := deposit(t)
	tx, err := signing.Decode(walletfi.Base64Transaction(text64))
	require.NoError(t, err)
	var begins []int
	for _, ins := range tx.Instructions() {
		if ins.Program.String() == program {
			begins = []int{int(ins.Data[0]), int(ins.Data[1])}
		}
	}
	idl := func(name string) string {
		dir := t.TempDir()
		text := marshal(t, map[string]any{"instructions": []any{map[string]any{"name": name, "discriminator": begins}}})
		require.NoError(t, os.WriteFile(filepath.Join(dir, program+".json"), []byte(text), 0o600))
		return dir
	}
	passes := []string{"explain", "--service", "lending", "--pin", program, "--blind", text64, "--idl"}
	plain, got := command(t, passes[:len(passes)-1]...), command(t, append(passes, idl("provenSafe"))...)
	require.Zero(t, got.status, got.err)
	want := strings.Replace(plain.out, "; this wallet's settings let", `; a description file calls this "provenSafe" (Policy.IDLs), and the program can do otherwise; this wallet's settings let`, 1)
	require.Equal(t, strings.Replace(want, program+", accounts", program+`, which its IDL file calls "provenSafe", accounts`, 1), got.out)
	require.Contains(t, command(t, append(passes, idl("deposit"), "--json")...).out, `"calls": "deposit"`)
	command(t, append(passes, idl("a b"))...).fails(t, statusMalformed, `the name "a b"`)
	command(t, append(passes, filepath.Join(t.TempDir(), "none"))...).fails(t, statusMalformed, "no such file")
}
