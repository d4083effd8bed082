package program

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/pflag"
	"github.com/walletfi/walletfi-go/internal/visitors"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/internal/page"
)

// paging are the flags of the page on which approvers sign with passkeys.
type paging struct{ address, cert, key string }

func (f *paging) flags(flags *pflag.FlagSet) {
	const address = "a TCP address to serve the page on that the policy names, for approvers who have passkeys"
	flags.StringVar(&f.address, "page", "", address)
	flags.StringVar(&f.cert, "page-cert", "", "the page's certificate, PEM; without one it is served on loopback alone")
	flags.StringVar(&f.key, "page-key", "", "the key of the certificate, PEM")
}

// open listens for the page's visitors, and returns what serves them until a context ends. They are people
// with browsers, whom no certificate names: who reaches the page can read the grants and the policy's words.
func (f *paging) open(s *signer.Signer, out io.Writer) (serve func(context.Context) error, err error) {
	handler, err := page.New(s)
	if err != nil {
		return nil, err
	}
	var secure *tls.Config
	if f.cert != "" {
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, err
		}
		secure = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
	}
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		return nil, err
	}
	if at, ok := listener.Addr().(*net.TCPAddr); secure == nil && (!ok || !at.IP.IsLoopback()) {
		err := fmt.Errorf("--page %s is no loopback address, and there is no --page-cert", f.address)
		return nil, errors.Join(err, listener.Close())
	}
	fmt.Fprintf(out, "serving the page %s at %s\n", s.Policy().Page, listener.Addr())
	counted := net.Listener(visitors.Listen(listener, nil))
	if secure != nil {
		counted = tls.NewListener(counted, secure)
	}
	return func(ctx context.Context) error { return serveUntil(ctx, counted, handler) }, nil
}

// serveUntil serves until ctx ends, and then waits for who is being answered.
func serveUntil(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	ended := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-ended
	return nil
}
