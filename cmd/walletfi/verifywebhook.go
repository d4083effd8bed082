package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

const verifyLong = `verify-webhook says whether a delivery of the webhook service is genuine, and what it
holds: transactions of an account-based ledger or of an EVM chain.

The body is FILE, or standard input, to the byte as it came: no editor, no pretty
printer. The headers are given with --header, or are the lines of --headers FILE, such
as curl -D writes; only X-Webhook-Signature, -Nonce and -Timestamp matter, or what
--deployment calls them.

The secret is the variable WALLETFI_WEBHOOK_SECRET, another with --secret-env, or a file
with --secret-file. It is never an argument, which other users of the machine can see.
During a rotation, state --secret-file more than once.`

const verifyExample = `  walletfi verify-webhook body.json --headers headers.txt --secret-file secret
  walletfi verify-webhook -H 'X-Webhook-Nonce: n' -H 'X-Webhook-Timestamp: 1767225600' \
    -H 'X-Webhook-Signature: f800...' --max-age 8760h < body.json
  walletfi verify-webhook body.json --headers headers.txt --deployment acme.json`

const secretVariable = "WALLETFI_WEBHOOK_SECRET"

type verify struct {
	streams

	headers     []string
	headersFile string
	secretFiles []string
	secretEnvs  []string
	maxAge      time.Duration
	at          string
	deployment  string
	asJSON      bool
}

func newVerifyWebhook(s streams) *cobra.Command {
	v := &verify{streams: s}
	cmd := &cobra.Command{
		Use: "verify-webhook [FILE]", Short: "Verify the signature of a webhook delivery",
		Long: verifyLong, Example: verifyExample, Args: atMostOne,
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	f := cmd.Flags()
	f.StringArrayVarP(&v.headers, "header", "H", nil, "a header, `'Name: value'`; may be repeated")
	f.StringVar(&v.headersFile, "headers", "", "a `file` with a header per line")
	v.keys(f)
	f.StringVar(&v.at, "at", "", "reckon the age at this `time` (RFC 3339) and not now")
	f.BoolVar(&v.asJSON, "json", false, "print JSON")
	return cmd
}

// keys are the flags that listen and trigger have too.
func (v *verify) keys(f *pflag.FlagSet) {
	f.StringArrayVar(&v.secretFiles, "secret-file", nil,
		"a `file` with the secret that only you can read; may be repeated")
	f.StringArrayVar(&v.secretEnvs, "secret-env", nil,
		"the `variable` with the secret, by default "+secretVariable+"; may be repeated")
	f.DurationVar(&v.maxAge, "max-age", webhooks.DefaultMaxAge, "how old the delivery may be")
	f.StringVar(&v.deployment, "deployment", "", "a vendor's `file`: its names of the headers, and the words of its JSON")
}

func (v *verify) run(args []string) error {
	body := "-"
	if len(args) == 1 {
		body = args[0]
	}
	if err := onceStdin(body, v.headersFile, v.deployment); err != nil {
		return err
	}
	reader, err := v.reader()
	if err != nil {
		return err
	}
	header, err := v.header()
	if err != nil {
		return err
	}
	b, err := v.readFile(body, webhooks.DefaultMaxBody)
	if err != nil {
		return err
	}
	d, err := reader.Read(header, bytes.NewReader(b))
	if err != nil {
		return verifyError(err, reader)
	}
	_, _, timestamp := reader.Headers()
	return v.show(d, header.Get(timestamp))
}

// reader makes the reader of the flags.
func (v *verify) reader() (*webhooks.DeliveryReader, error) {
	verifier, err := v.verifier()
	if err != nil {
		return nil, err
	}
	spoken, err := v.optionalDeployment(v.deployment)
	if err != nil {
		return nil, err
	}
	reader, err := webhooks.NewDeliveryReader(*verifier, spoken)
	return reader, as(statusMalformed, err)
}

func (v *verify) verifier() (*webhooks.Verifier, error) {
	if v.maxAge <= 0 {
		return nil, usage("--max-age: must be positive")
	}
	verifier := &webhooks.Verifier{MaxAge: v.maxAge}
	if v.at != "" {
		at, err := time.Parse(time.RFC3339, v.at)
		if err != nil {
			return nil, usage("--at: %q is no time of RFC 3339, such as 2026-01-01T00:00:00Z", v.at)
		}
		verifier.Now = func() time.Time { return at }
	}
	if len(v.secretFiles)+len(v.secretEnvs) == 0 {
		v.secretEnvs = []string{secretVariable}
	}
	for _, from := range []struct {
		names []string
		read  func(string) (walletfi.Secret, error)
	}{{v.secretFiles, secretFromFile}, {v.secretEnvs, envOrFile}} {
		for _, name := range from.names {
			secret, err := from.read(name)
			if err != nil {
				return nil, err
			}
			verifier.Secrets = append(verifier.Secrets, secret)
		}
	}
	return verifier, nil
}

// header collects the headers of the flags and of the file.
func (v *verify) header() (http.Header, error) {
	header := http.Header{}
	for _, text := range v.headers {
		if err := addHeader(header, text); err != nil {
			return nil, usage("--header: %w", err)
		}
	}
	if v.headersFile == "" {
		return header, nil
	}
	b, err := v.readFile(v.headersFile, mostText)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, mostText)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimRight(lines.Text(), "\r")
		first := n == 1 && (strings.HasPrefix(text, "HTTP/") || strings.HasPrefix(text, "POST "))
		if text == "" || first {
			continue
		}
		if err := addHeader(header, text); err != nil {
			return nil, as(statusMalformed, fmt.Errorf("%s:%d: %w", v.headersFile, n, err))
		}
	}
	return header, lines.Err()
}

// addHeader adds a line. No error shows its value.
func addHeader(header http.Header, line string) error {
	name, value, ok := strings.Cut(line, ":")
	name = textproto.TrimString(name)
	if !ok || name == "" || strings.ContainsAny(name, " \t") {
		return errors.New("not of the form Name: value")
	}
	header.Add(name, textproto.TrimString(value))
	return nil
}

func verifyError(err error, reader *webhooks.DeliveryReader) error {
	switch {
	case errors.Is(err, webhooks.ErrSignature):
		return as(statusSignature, err)
	case errors.Is(err, webhooks.ErrTimestamp):
		return as(statusSignature, fmt.Errorf("%w: see --max-age and --at", err))
	case errors.Is(err, webhooks.ErrHeaders):
		signature, nonce, timestamp := reader.Headers()
		return as(statusMalformed, fmt.Errorf("%w: %s, %s and %s are needed, each once", err, signature, nonce, timestamp))
	}
	return as(statusMalformed, err)
}
