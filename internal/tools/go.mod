module github.com/walletfi/walletfi-go/internal/tools

go 1.26.0

require (
	github.com/google/licenseclassifier/v2 v2.0.0
	github.com/mtibben/confusables v0.0.0-20210201002637-9d1b0723b659
	github.com/stretchr/testify v1.12.1
	golang.org/x/mod v0.42.0
	golang.org/x/text v0.43.0
	golang.org/x/tools v0.51.0
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/sergi/go-diff v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
