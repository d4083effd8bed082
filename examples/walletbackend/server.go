package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/sandbox"
)

// options are the server's flags.
type options struct {
	listen string
	config string // file of settings, "" for a sandbox in this process
	data   string // folder, "" for a temporary one
	// postgres says that the database is the one of the secret DATABASE_URL.
	postgres  bool
	redis     bool   // share limits in the Redis of the secret REDIS_URL
	signer    string // socket of the signer, "" for one of the sandbox's
	template  string // of the signer's policy, under which it makes keys for new users
	collector string // base URL of an OpenTelemetry collector, "" for none
	demo      bool   // add the demo's users
}

func parse(arguments []string) (o options, err error) {
	flags := flag.NewFlagSet("walletbackend", flag.ContinueOnError)
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "address to serve at; port 0 means any free port")
	flags.StringVar(&o.config, "config", "", "JSON file of settings; empty means the sandbox, in this process")
	flags.StringVar(&o.data, "data", "", "folder of the database and of the master key; empty means a temporary one")
	flags.BoolVar(&o.postgres, "postgres", false,
		"keep everything in the PostgreSQL of the secret "+settings.Variable(settings.DatabaseURL)+" in place of SQLite")
	flags.BoolVar(&o.redis, "redis", false,
		"share the services' limits with other processes in the Redis of the secret "+settings.Variable(settings.RedisURL))
	flags.StringVar(&o.collector, "otel", "", "base URL of an OpenTelemetry collector, such as http://localhost:4318")
	flags.StringVar(&o.signer, "signer", "", "Unix socket of the walletfi-signer that holds the users' keys")
	flags.StringVar(&o.template, "template", demo.Template, "template of the signer's policy for the keys of new users")
	flags.BoolVar(&o.demo, "demo-users", false, "add the demo's users; always on with the sandbox in this process")
	err = flags.Parse(arguments)
	return o, err
}

// runServer serves until ctx ends.
func runServer(ctx context.Context, arguments []string, out, log io.Writer) error {
	o, err := parse(arguments)
	if err != nil {
		return err
	}
	if (o.config == "") != (o.signer == "") {
		return errors.New("-config needs -signer, and the sandbox has a signer of its own: " +
			"the users' keys are in a walletfi-signer")
	}
	if o.data == "" {
		if o.config != "" {
			return errors.New("-data is required with -config: a restart needs what an earlier run kept")
		}
		if o.data, err = os.MkdirTemp("", "walletbackend"); err != nil {
			return err
		}
		defer os.RemoveAll(o.data)
	}
	// The listener comes first, because the sandbox delivers webhooks to its address.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	var s *settings.Settings
	if o.config != "" {
		s, err = settings.Load(o.config)
	} else {
		var stop func()
		s, stop, err = startDemo(ctx, &o, listener.Addr().String(), log)
		defer stop()
	}
	if err != nil {
		return err
	}
	b, err := newBackend(ctx, o, s, newLog(log))
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Fprintf(out, "walletbackend at http://%s\n", listener.Addr())
	if o.demo {
		password, err := s.Secret(settings.DemoPassword)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "sign in as %s or %s with the password %s\n", demo.Names[0], demo.Names[1], password.Reveal())
	}
	return serve(
		ctx, &http.Server{Handler: b.handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second}, listener,
	)
}

// startDemo starts a sandbox and its signer. stop ends both.
func startDemo(ctx context.Context, o *options, address string, log io.Writer) (
	s *settings.Settings, stop func(), err error,
) {
	o.demo = true
	box, s, err := demo.Start(sandbox.Config{}, address)
	if err != nil {
		return nil, func() {}, err
	}
	policy, err := demo.Policy(ctx, box, s.Pins)
	if err != nil {
		return nil, box.Close, err
	}
	// Not ctx: the signer ends after the backend.
	keys, err := startDemoSigner(context.WithoutCancel(ctx), demoConfig{
		Policy: policy, Node: box.URL(sandbox.RPC), Seed: filepath.Join(o.data, "signer.seed"),
	}, log)
	if err != nil {
		return nil, box.Close, err
	}
	o.signer = keys.socket
	return s, func() { keys.Close(); box.Close() }, nil
}

// stopTime is how long a stopping server waits for requests to end. Streams of
// events do not end by themselves.
const stopTime = time.Second

// serve serves until ctx ends.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		if server.Shutdown(grace) != nil {
			server.Close()
		}
	}()
	err := server.Serve(listener)
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-stopped
	return nil
}

func newLog(to io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(to, nil)) }

// databaseOf is the SQLite database in a data folder.
func databaseOf(folder string) sqlstore.Config {
	return sqlstore.Config{Path: filepath.Join(folder, "walletbackend.db")}
}
