module github.com/walletfi/walletfi-go/contrib/otelwalletfi

go 1.26.0

require github.com/walletfi/walletfi-go v0.1.0

require (
	github.com/klauspost/compress v1.20.1 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
)

require (
	github.com/mr-tron/base58 v1.3.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)
