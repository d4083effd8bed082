package program

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// certificates are those of the files that serve names, read again at a SIGHUP.
type certificates struct {
	cert, key, clients string // the files

	current atomic.Pointer[tls.Config]
	read    atomic.Pointer[map[string]*x509.Certificate] // by what they are
}

// load reads the files. If one is not as it must be, what was read before stays.
func (c *certificates) load() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(c.clients)
	if err != nil {
		return err
	}
	all, pool := map[string]*x509.Certificate{"signer": pair.Leaf}, x509.NewCertPool()
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		one, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fmt.Errorf("%s: %w", c.clients, err)
		}
		pool.AddCert(one)
		name := "client " + one.Subject.CommonName
		if had := all[name]; had == nil || one.NotAfter.After(had.NotAfter) {
			all[name] = one // the old one of two is on its way out
		}
	}
	if len(all) == 1 {
		return fmt.Errorf("%s has no certificate", c.clients)
	}
	c.read.Store(&all)
	c.current.Store(&tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool})
	return nil
}

// all are the certificates by what they are, the one that lasts the longest of each client.
func (c *certificates) all() map[string]*x509.Certificate { return *c.read.Load() }

// watch reads the files again at each SIGHUP, until ctx ends.
func (c *certificates) watch(ctx context.Context, out, errs io.Writer) error {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGHUP)
	defer signal.Stop(asked)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-asked:
		}
		if err := c.load(); err != nil {
			fmt.Fprintf(errs, "the certificates stay as they were: %v\n", err)
			continue
		}
		fmt.Fprintf(out, "read the certificates of %d names\n", len(c.all()))
	}
}
