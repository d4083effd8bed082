package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// demoSigner is the signer of the demo, a process of its own: see runDemoSigner.
type demoSigner struct {
	folder string
	socket string    // in the folder
	stop   io.Closer // its input, with which it ends
	ended  chan error
}

// demoConfig comes to the demo's signer by its input.
type demoConfig struct {
	Policy string // its text
	Node   string // URL
	Folder string // of its socket and store, which do not outlast it
	Seed   string // path of the key that users' keys are derived from, which no other process reads
}

// startDemoSigner starts this program again as the demo's signer.
func startDemoSigner(ctx context.Context, c demoConfig, log io.Writer) (d *demoSigner, err error) {
	if c.Folder, err = os.MkdirTemp("", "signer"); err != nil { // short: a socket's path has at most 107 bytes
		return nil, err
	}
	d = &demoSigner{folder: c.Folder, socket: filepath.Join(c.Folder, "socket"), ended: make(chan error, 1)}
	if err := d.start(ctx, c, log); err != nil {
		return nil, errors.Join(fmt.Errorf("the demo's signer: %w", err), os.RemoveAll(c.Folder))
	}
	return d, nil
}

func (d *demoSigner) start(ctx context.Context, c demoConfig, log io.Writer) error {
	command := exec.CommandContext(ctx, os.Args[0], "demo-signer")
	command.Stderr = log
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	d.stop = in
	if err := command.Start(); err != nil {
		return err
	}
	go func() { d.ended <- command.Wait() }()
	if err := json.NewEncoder(in).Encode(c); err != nil {
		return err
	}
	for {
		if conn, err := net.Dial("unix", d.socket); err == nil {
			return conn.Close()
		}
		select {
		case err := <-d.ended:
			return errors.Join(errors.New("it did not start"), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Close ends the process.
func (d *demoSigner) Close() error {
	_ = d.stop.Close()
	<-d.ended
	return os.RemoveAll(d.folder)
}

// runDemoSigner serves what in begins with, until in ends. It stands in for walletfi-signer: its log is
// signed by a key that is forgotten at the end, as the sandbox's ledger is.
func runDemoSigner(ctx context.Context, in io.Reader) error {
	var c demoConfig
	if err := json.NewDecoder(in).Decode(&c); err != nil {
		return fmt.Errorf("demo-signer is started by the demo itself: %w", err)
	}
	cfg := signer.Config{
		Store: filepath.Join(c.Folder, "signer.db"), Anchor: filepath.Join(c.Folder, "signer.anchor"),
	}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(c.Node)})
	if err != nil {
		return err
	}
	cfg.Nodes = []signer.Node{node}
	if cfg.Policy, err = signer.ParsePolicy([]byte(c.Policy)); err != nil {
		return err
	}
	if cfg.Seed, err = readSeed(c.Seed); err != nil {
		return err
	}
	if _, cfg.LogKey, err = ed25519.GenerateKey(nil); err != nil {
		return err
	}
	s, err := signer.Open(ctx, cfg)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		stop()
	}()
	var watching sync.WaitGroup
	watching.Go(func() { s.Watch(ctx) })
	err = s.ServeUnix(ctx, filepath.Join(c.Folder, "socket"))
	stop()
	watching.Wait()
	return errors.Join(err, s.Close())
}

// readSeed reads the key that the users' keys are derived from. The first start makes it.
func readSeed(path string) (signing.Signer, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			return nil, err
		}
		raw = private.Seed()
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	defer clear(raw)
	return signing.NewLocalKeyFromSeed(raw)
}
