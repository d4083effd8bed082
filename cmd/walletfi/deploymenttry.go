package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/internal/transport"
)

const tryLong = `try calls the reads of a deployment's services that cost nothing and change nothing, and
says of each answer, in the documented words, what arrived, what is missing and what is
not documented. Run now and then, it shows when a live service drifts.

A route whose path needs a value that --arg does not give takes it from a member of that
name in an earlier answer, or is left out. The credential of a service is the variable
WALLETFI_SWAP_KEY, with the service's name in capitals, or a file with --key-file; other
secrets that the file names are given with --secret-env.`

const tryExample = `  walletfi deployment try acme.json --arg walletAddress=9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin
  WALLETFI_SWAP_KEY=... walletfi deployment try acme.json --service swap --verbose`

type try struct {
	streams

	services   []string
	args       []string
	keyFiles   []string
	secretEnvs []string
	allowHTTP  []string
	every      time.Duration
	timeout    time.Duration
	verbose    bool

	values  map[string]string // of placeholders and parameters
	secrets map[string]walletfi.Secret
	report  report
}

func newDeploymentTry(s streams) *cobra.Command {
	t := &try{streams: s}
	cmd := &cobra.Command{
		Use: "try FILE", Short: "Call a deployment's reads and report what arrived",
		Long: tryLong, Example: tryExample, Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&t.services, "service", nil, "try this `service` alone; may be repeated")
	f.StringArrayVar(&t.args, "arg", nil,
		"a value for a path or a parameter, `name=value`, by documented name; may be repeated")
	f.StringArrayVar(&t.keyFiles, "key-file", nil,
		"a `service=file` with the credential that only you can read; may be repeated")
	f.StringArrayVar(&t.secretEnvs, "secret-env", nil,
		"a `name=variable` for a secret that the file names; may be repeated")
	f.StringArrayVar(&t.allowHTTP, "allow-http", nil, "a `host` that may be reached without TLS; may be repeated")
	f.DurationVar(&t.every, "every", time.Second, "the time between two calls")
	f.DurationVar(&t.timeout, "timeout", 30*time.Second, "how long a call may take")
	f.BoolVar(&t.verbose, "verbose", false, "list the members that arrived, too")
	f.BoolVar(&t.report.asJSON, "json", false, "print a line of JSON for each route")
	offer(cmd, "service", services...)
	return cmd
}

func (t *try) run(ctx context.Context, file string) error {
	d, err := t.readDeployment(file)
	if err != nil {
		return err
	}
	if err := t.readFlags(d); err != nil {
		return err
	}
	for _, name := range t.services {
		if err := t.service(ctx, d, name); err != nil {
			return err
		}
	}
	return t.report.end(t.streams)
}

func (t *try) readFlags(d *deployment.Deployment) error {
	var err error
	if t.values, err = pairs("--arg", t.args); err != nil {
		return err
	}
	if len(t.services) == 0 {
		t.services = slices.Sorted(maps.Keys(d.Services))
	}
	for _, name := range t.services {
		if _, ok := d.Services[name]; !ok {
			known := slices.Sorted(maps.Keys(d.Services))
			return usage("--service: the file has no service %q%s", name, didYouMean(name, known...))
		}
	}
	names, err := pairs("--secret-env", t.secretEnvs)
	if err != nil {
		return err
	}
	t.secrets = map[string]walletfi.Secret{}
	for name, variable := range names {
		if t.secrets[name], err = secretFromEnv(variable, "secret-env "+name+"=VARIABLE"); err != nil {
			return err
		}
	}
	return nil
}

// pairs splits name=value.
func pairs(flag string, texts []string) (map[string]string, error) {
	found := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, usage("%s: %q is not of the form name=value", flag, text)
		}
		found[name] = value
	}
	return found, nil
}

// key returns a service's credential, the zero Secret if none is given.
func (t *try) key(service string) (walletfi.Secret, error) {
	files, err := pairs("--key-file", t.keyFiles)
	if err != nil {
		return walletfi.Secret{}, err
	}
	if file, ok := files[service]; ok {
		return secretFromFile(file)
	}
	variable := "WALLETFI_" + strings.ToUpper(service) + "_KEY"
	if _, ok := os.LookupEnv(variable); !ok {
		return walletfi.Secret{}, nil
	}
	return secretFromEnv(variable, "key-file "+service+"=FILE")
}

// service tries the reads of a service, twice if the first time has found values for
// paths that lacked one.
func (t *try) service(ctx context.Context, d *deployment.Deployment, name string) error {
	documented, _ := catalogue.Of(name) // the file was checked
	clients, err := t.clients(d, documented)
	if err != nil {
		return err
	}
	waiting := documented.Operations
	for {
		var later []catalogue.Operation
		for _, o := range waiting {
			switch {
			case o.Effect != "read" || o.Costs || o.Body != nil:
				continue
			case t.lacks(o) != "":
				later = append(later, o)
				continue
			}
			client := clients[o.URL]
			if client == nil {
				t.report.skip(t.streams, name, o.Route, "the file has no "+o.URL)
				continue
			}
			if err := t.try(ctx, client, name, o); err != nil {
				return err
			}
		}
		if len(later) == len(waiting) || !slices.ContainsFunc(later, func(o catalogue.Operation) bool {
			return t.lacks(o) == ""
		}) {
			for _, o := range later {
				t.report.skip(t.streams, name, o.Route, "needs --arg "+t.lacks(o)+"=...")
			}
			return nil
		}
		waiting = later
	}
}

// lacks returns a value of the path that is not known.
func (t *try) lacks(o catalogue.Operation) string {
	for _, name := range o.Placeholders() {
		if t.values[name] == "" {
			return name
		}
	}
	return ""
}

// clients returns a client for each address of a service, by the field of the Config.
func (t *try) clients(d *deployment.Deployment, s catalogue.Service) (map[string]*transport.Client, error) {
	key, err := t.key(s.Name)
	if err != nil {
		return nil, err
	}
	secrets := []string{key.Reveal()}
	for _, secret := range t.secrets {
		secrets = append(secrets, secret.Reveal())
	}
	t.report.hide = peer.NewMask(secrets)
	found := map[string]*transport.Client{}
	for _, field := range s.URLs {
		address := d.Services[s.Name].URLs[field]
		if address == "" || field == "webSocketURL" {
			continue
		}
		var auth transport.Authoriser
		if len(s.Headers) > 0 {
			prefix := ""
			if s.Headers[0] == "Authorization" {
				prefix = "Bearer "
			}
			auth = transport.HeaderKey(s.Headers[0], prefix, key)
		}
		client, err := transport.New(transport.Config{
			Service: s.Name, BaseURL: address, Prefix: s.Prefix, Auth: auth,
			Options: walletfi.Options{
				Deployment: d, Secrets: t.secrets, Timeout: t.timeout, AllowHTTP: t.allowHTTP, OwnRoutes: true,
				Retry: walletfi.RetryPolicy{MaxRetries: new(0)},
			},
		})
		if err != nil {
			return nil, as(statusMalformed, err)
		}
		found[field] = client
	}
	return found, nil
}

func (t *try) try(ctx context.Context, client *transport.Client, service string, o catalogue.Operation) error {
	if t.report.tried > 0 {
		if err := t.pause(ctx); err != nil {
			return err
		}
	}
	values, query := []any{}, url.Values{}
	for _, name := range o.Placeholders() {
		values = append(values, t.values[name])
	}
	var parameters []string
	for name := range o.Query {
		parameters = append(parameters, name)
		if value := t.values[name]; value != "" {
			query.Set(name, value)
		}
	}
	body, err := transport.DoDocument(ctx, client, transport.Call{
		Op: o.Methods[0], Effect: transport.Read, Answer: transport.Open("any answer is compared"),
		Method: o.Method(), Path: transport.Path(o.Path(), values...), Query: query, Parameters: parameters,
	}, nil)
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if err != nil {
		t.report.fail(t.streams, service, o.Route, err)
		return nil
	}
	t.report.compare(t.streams, service, o, []byte(body), t.verbose, t.learn)
	return nil
}

// learn keeps the first value of each member, for paths that need one of its name.
func (t *try) learn(name, value string) {
	if _, known := t.values[name]; !known {
		t.values[name] = value
	}
}

func (t *try) pause(ctx context.Context) error {
	timer := time.NewTimer(t.every)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

var (
	errDiffers      = errors.New("an answer is not as documented, or did not come")
	errNothingTried = errors.New("no route was tried: the lines above say what is missing")
)

func describe(err error) string {
	if r, ok := errors.AsType[*walletfi.ResponseError](err); ok && r.StatusCode > 0 {
		return fmt.Sprintf("status %d", r.StatusCode)
	}
	return oneLine(err)
}
