"""`python -m groundwire`."""

from groundwire.cli.main import main

if __name__ == "__main__":
    main()
