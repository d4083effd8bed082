module github.com/walletfi/walletfi-go/contrib/redislimit

go 1.26.0

require (
	github.com/go-redis/redis_rate/v10 v10.0.1
	github.com/stretchr/testify v1.12.1
	github.com/walletfi/walletfi-go v0.1.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

require (
	github.com/mr-tron/base58 v1.3.0 // indirect
	github.com/redis/go-redis/v9 v9.23.0
	golang.org/x/time v0.16.0 // indirect
)
